"""Draw assets/preview.png, what a link to the book shows: `python -m book.preview`, after a build.

The file holds the texts of the drawing, by which a test sees that it shows today's front page.
"""

import argparse
import io
import sys
from collections.abc import Sequence

from PIL import Image, PngImagePlugin
from playwright.sync_api import Page, sync_playwright

from book import serve
from book.paths import ROOT, html_folder
from book.testing.tools import CHROMIUM

FILE = ROOT / "assets" / "preview.png"
WIDTH, HEIGHT, SCALE, COLORS = 1260, 660, 2, 64
KEY = "Description"
_DRAWN = """() => {
  const svg = tlFlow.drawPicture(document.getElementById("flow-root"));
  svg.id = "preview";
  svg.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 9999";
  document.body.append(svg);
  return [...svg.querySelectorAll("text")].map((each) => each.textContent).join("\\n");
}"""


def draw(page: Page, site: str) -> str:
    """Open the front page in its first state and put its picture over it; the texts of it."""
    page.goto(f"{site}/intro.html")
    page.locator(".flow-live").wait_for()
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.add_script_tag(url=f"{site}/_static/flow/picture.js")
    return str(page.evaluate(_DRAWN))


def stored() -> str:
    """The texts that the stored file holds."""
    with Image.open(FILE) as image:
        return str(image.info[KEY])


def compressed(shot: bytes, texts: str) -> bytes:
    """The picture with few colors, so that it is small, and with its texts."""
    about = PngImagePlugin.PngInfo()
    about.add_itxt(KEY, texts, zip=True)
    made = io.BytesIO()
    image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    image.save(made, "PNG", optimize=True, pnginfo=about)
    return made.getvalue()


def main(words: Sequence[str] | None = None) -> int:
    """Write the file; 1 where there is no book or no browser."""
    argparse.ArgumentParser(prog="python -m book.preview", description=__doc__).parse_args(words)
    if not (html_folder() / "index.html").exists() or not CHROMIUM.path():
        print("This needs a built book (make book) and a Chromium.")
        return 1
    with serve.served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM.path(), args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=SCALE, color_scheme="light")
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        texts = draw(page, site)
        FILE.write_bytes(compressed(page.locator("#preview").screenshot(), texts))
        browser.close()
    print(f"{FILE.relative_to(ROOT)} has {FILE.stat().st_size // 1000} kB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
