"""What a page weighs and how soon it is painted: `python -m benchmarks.weight`.

It writes benchmarks/WEIGHT.md. The book is built anew in a folder of its own: that takes minutes.
Each page is opened in Chromium with an empty cache, and no Python is started in it. Compressed is
what gzip makes of each file, as a host would send it.
"""

import argparse
import datetime
import functools
import gzip
import http.server
import os
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Response, sync_playwright

from benchmarks import cold
from book import toc
from book.paths import html_folder
from book.tools import CHROMIUM

FILE = Path(__file__).with_name("WEIGHT.md")
COUNTS = (10, 40, 160)
LOADS = 5
NAMED = 5
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
MOVE = """() => new Promise((done) => {
  const slider = document.querySelector("main input[type=range]");
  const began = performance.now();
  slider.value = slider.max;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})"""
Files = dict[str, bytes]


@contextmanager
def served(root: Path) -> Iterator[str]:
    """Serve the built pages of a folder; their address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=html_folder(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def loaded(browser: Browser, url: str) -> Files:
    """Return what a page loads, by its address, until nothing more comes."""
    files: Files = {}

    def keep(answer: Response) -> None:
        files[answer.url] = answer.body()

    page = browser.new_page()
    page.on("response", keep)
    page.goto(url, wait_until="load")
    page.wait_for_load_state("networkidle")
    page.close()
    return files


def row(name: str, files: Files) -> tuple[int, str]:
    """Return the bytes that a page moves, and its row: itself, its scripts, all it loads."""
    scripts = {url: body for url, body in files.items() if url.partition("?")[0].endswith(".js")}
    page = {url: body for url, body in files.items() if url.endswith(f"{name}.html")}
    cells = [f"{kb(part)} | {kb(part, gzip.compress)}" for part in (page, scripts, files)]
    return sum(map(len, files.values())), f"| {name} | {' | '.join(cells)} |"


def kb(files: Files, pack: Any = bytes) -> str:
    """Return the size of some files in thousands of bytes."""
    return f"{sum(len(pack(body)) for body in files.values()) / 1e3:,.0f}"


def weights(browser: Browser, root: Path, names: list[str]) -> str:
    """Return the table of all pages, the heaviest first, and a line that names those."""
    with served(root) as site:
        rows = [row(name, loaded(browser, f"{site}/{name}.html")) for name in names]
    rows.sort(key=lambda pair: -pair[0])
    heavy = ", ".join(text.split(" | ")[0].rpartition("/")[2] for _, text in rows[:NAMED])
    head = "| page | itself | gzip | scripts | gzip | all it loads | gzip |\n" + "|---" * 7 + "|"
    return f"The heaviest: {heavy}. Thousands of bytes.\n\n{head}\n" + "\n".join(t for _, t in rows)


def painted(browser: Browser, url: str) -> tuple[float, float]:
    """Return the milliseconds to the first paint of a page, and from a slider moved to painted."""
    page = browser.new_page()
    page.goto(url, wait_until="load")
    page.wait_for_function(PAINTED)
    times = page.evaluate(PAINTED), page.evaluate(MOVE)
    page.close()
    return times


def frames(browser: Browser, root: Path, names: list[str]) -> str:
    """Return a table of pages with more and more frames in one widget."""
    rows = [
        "| frames | kB of the page | gzip | ms to paint | ms to move |",
        "|---|---|---|---|---|",
    ]
    with served(root) as site:
        for count, name in zip(COUNTS, names, strict=True):
            body = (html_folder(root) / f"{name}.html").read_bytes()
            looks = [painted(browser, f"{site}/{name}.html") for _ in range(LOADS)]
            paint, move = (statistics.median(each) for each in zip(*looks, strict=True))
            sizes = f"{len(body) / 1e3:,.0f} | {len(gzip.compress(body)) / 1e3:,.0f}"
            rows.append(f"| {count} | {sizes} | {paint:.0f} | {move:.0f} |")
    return "\n".join(rows)


def main() -> None:
    """Build, weigh, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weight", description=__doc__)
    parser.add_argument("--out", type=Path, default=FILE, help="default: benchmarks/WEIGHT.md")
    out = parser.parse_args().out
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder) / "book"
        cold.copy(root)
        built = cold.build(root)
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM.path(), args=["--no-sandbox", "--disable-gpu"]
        )
        table = weights(
            browser,
            root,
            [name.removesuffix(".ipynb").removesuffix(".md") for name in toc.pages(root)],
        )
        small = cold.put_frames(root, COUNTS)
        cold.build(root)
        grown = frames(browser, root, small)
        browser.close()
    share = built.running / built.seconds
    text = f"""# Weight of the pages

Written by `python -m benchmarks.weight` on {datetime.date.today().isoformat()}.
Load of the machine before: {load:.1f}.

## Building the book where nothing was built before

{built.seconds:.0f} seconds, {built.running:.0f} of them ({share:.0%}) while notebooks ran.
The scripts that pages load were there already.

## What a page weighs before Python is started

{table}

## A page with more and more frames

A picture is a table of 8 by 8 numbers. To move is from the slider to the picture of its last stop.

{grown}
"""
    out.write_text(text, encoding="utf-8", newline="\n")
    print(text)


if __name__ == "__main__":
    sys.exit(main())
