"""The front page's picture in a frame of another page: alone, and cut to its sentence."""

import html
import io
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from book.paths import html_folder
from book.serve import served
from tests.browser.axe import COLORS, violations
from tests.browser.engines import SELENIUM, Engine, wait
from tests.browser.test_engines import Quiet
from tests.browser.test_front_page import SHIFT, WIDER

ADDRESS = "https://host.example/course/intro.html?x=1#s=the+cats&silence=2.3"
CODE = "([address, isCut]) => tlFrame.code(address, isCut)"
HEARD = """<script>
  var heights = [];
  addEventListener("message", ({ data }) => {
    if (data.source === "the-worked-transformer") heights.push(data.height);
  });
</script>"""
SPOT = '<i id="spot" style="position:absolute; left:{}px; top:{}px; pointer-events:none">.</i>'
NEEDED = """Math.ceil(document.getElementById("flow-root").getBoundingClientRect().bottom) + 8"""
SCROLLS = """(root) => [document.documentElement, document.querySelector(".flow-told")].some(
  (each) => each.scrollHeight > Math.max(each.clientHeight, each === root ? 0 : innerHeight))"""
TOO_TALL = "() => document.documentElement.scrollHeight > innerHeight"
AROUND = "header, nav, footer, .bd-sidebar-primary, .tl-doors, .skip-link, dialog"
FOCUSED = """() => {
  const { id, className, textContent, dataset } = document.activeElement;
  return id || className + (dataset.stage ?? "") || textContent;
}"""
STATES = [
    "the chefs who went to the store",
    "the cats who ate the blackberry and went to the store",
    "the cats who ate the blackberry and went to the store and ate the blackberries and sat",
    "the zebra who ",
]
Outer = Callable[[str], str]


class Published(Quiet):
    """A host that sends no headers of its own; the book was built for its address."""

    def send_head(self) -> Any:
        """Name the host in the policy of the front page, as `policy.allow` does."""
        if not self.path.startswith("/intro.html"):
            return super().send_head()
        page = (html_folder() / "intro.html").read_text(encoding="utf-8")
        body = page.replace("'self'", f"'self' http://{self.headers['Host']}").encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


@pytest.fixture(scope="module")
def book() -> Iterator[str]:
    """The front page of a published book."""
    with served(Published, html_folder()) as address:
        yield f"{address}/intro.html"


@pytest.fixture(scope="module")
def outer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outer]:
    """Puts the code of a frame into a page of another origin; its address."""
    folder: Path = tmp_path_factory.mktemp("outer")
    with served(Quiet, folder) as address:

        def put(code: str) -> str:
            whole = f'<!doctype html><link rel="icon" href="data:,"><title>Blog</title>{HEARD}'
            (folder / "index.html").write_text(whole + code, encoding="utf-8")
            return f"{address}/index.html"

        yield put


def code(page: Page, site: str, address: str, is_cut: bool) -> str:
    """What a teacher copies."""
    page.goto(f"{site}/blank.html")
    page.add_script_tag(url=f"{site}/_static/flow/embed.js")
    return str(page.evaluate(CODE, [address, is_cut]))


def test_a_teacher_copies_one_element(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/blank.html")
    copied = code(fresh, site, ADDRESS.replace("x=1", "frame"), True)
    fresh.set_content(copied.replace("https://host.example", "about://host.example"))
    frame = fresh.locator("body > iframe")
    expect(frame).to_have_attribute("src", "about://host.example/course/intro.html?frame=sentence"
                                    "#s=the+cats&silence=2.3")  # fmt: skip
    for name in ("title", "width", "height", "loading", "sandbox", "allow"):
        assert frame.get_attribute(name), name
    assert "&amp;silence" in copied and 'src="https://host.example' in copied
    assert "?frame#s" in code(fresh, site, ADDRESS, False)
    own = code(fresh, site, ADDRESS.replace("#s=the+cats", "#own=AwA"), True)
    assert 'height="900"' in own and 'height="620"' in copied
    fresh.goto("about:blank")


@pytest.mark.parametrize("sandbox", ["", "allow-scripts allow-popups", "of the code"])
def test_it_answers_in_a_page_of_another_host(
    fresh: Page, site: str, book: str, outer: Outer, sandbox: str
) -> None:
    copied = code(fresh, site, f"{book}#x", True)
    if sandbox != "of the code":
        other = f'sandbox="{sandbox}"' if sandbox else ""
        copied = re.sub('sandbox="[^"]*"', other, copied)
    fresh.set_viewport_size({"width": 406, "height": 800})
    fresh.emulate_media(color_scheme="dark")
    fresh.goto(outer(copied))
    frame: FrameLocator = fresh.frame_locator("iframe")
    expect(frame.locator("#flow-root.flow-live")).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    frame.get_by_role("button", name="Silence head 3 of layer 2").click()
    expect(frame.locator("#flow-verb b")).to_have_text("is")
    assert frame.locator("html").evaluate(TOO_TALL) is False
    fresh.wait_for_function("heights.length > 1 && heights.at(-1) > heights[0]")
    assert fresh.evaluate("heights.at(-1)") == frame.locator("html").evaluate(f"() => {NEEDED}")
    link = frame.get_by_role("link", name="The Worked Transformer")
    with fresh.context.expect_page() as opened:
        link.click()
    page = opened.value
    expect(page.locator("#flow-root.flow-live")).to_be_visible()
    assert page.url == f"{book}#x"
    if sandbox != "allow-scripts allow-popups":  # with which a new tab is a sandbox, too
        assert page.evaluate("(localStorage.getItem('a'), 1)")
    page.close()


@pytest.mark.parametrize(("width", "most"), [(1280, 500), (760, 500), (390, 620), (320, 620)])
def test_the_cut_is_as_high_as_a_figure(fresh: Page, site: str, width: int, most: int) -> None:
    fresh.set_viewport_size({"width": width, "height": 620})  # that of the code
    fresh.goto(f"{site}/intro.html?frame=sentence")
    expect(fresh.locator(".flow-live")).to_be_visible()
    expect(fresh.locator(".flow-shares .flow-share").first).to_be_visible()  # the largest weight
    assert fresh.evaluate(SHIFT) < 0.1
    for sentence in STATES:
        for _ in range(2):
            fresh.locator("#flow-sentence").fill(sentence)
            assert fresh.evaluate(NEEDED) <= most, sentence
            assert not fresh.evaluate(WIDER) and not fresh.evaluate(TOO_TALL), sentence
            if "zebra" not in sentence:
                fresh.locator("#flow-silence").click()
    for name in ("#flow-verb", "#flow-silence", ".flow-near", ".flow-bars", ".flow-away"):
        expect(fresh.locator(name)).to_be_visible()
    for part in fresh.locator(f"{AROUND}, #flow-lift, #flow-stage-4").all():
        expect(part).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 700, 320])
def test_the_whole_picture_stands_alone(fresh: Page, site: str, width: int) -> None:
    fresh.set_viewport_size({"width": width, "height": 1740})  # that of the code
    fresh.goto(f"{site}/intro.html?frame")
    expect(fresh.locator(".flow-live")).to_be_visible()
    for part in fresh.locator(AROUND).all():
        expect(part).to_be_hidden()
    assert fresh.evaluate(SHIFT) < 0.1
    if width >= 700:  # on a phone all stages are twice as high
        fresh.get_by_role("button", name="Show everything").click()
    fresh.locator("#flow-silence").click()
    assert not fresh.evaluate(WIDER) and not fresh.evaluate(TOO_TALL)
    expect(fresh.locator(".flow-away")).to_be_visible()


@pytest.mark.parametrize("query", ["?frame", "?frame=sentence"])
def test_it_pleases_axe_and_goes_by_keys(fresh: Page, site: str, query: str) -> None:
    fresh.goto(f"{site}/intro.html{query}")
    expect(fresh.locator(".flow-live")).to_be_visible()
    assert violations(fresh) == []
    fresh.emulate_media(color_scheme="dark")
    expect(fresh.locator("html")).to_have_attribute("data-theme", "dark")
    assert violations(fresh, COLORS) == []
    if query == "?frame":
        return
    found = []
    for _ in range(8):
        fresh.keyboard.press("Tab")
        found.append(fresh.evaluate(FOCUSED))
    assert found == [
        "flow-sentence", "flow-verb", "Attention", "flow-silence", "flow-picture3",
        "Next word", "flow-picture5", "flow-away",
    ]  # fmt: skip
    assert fresh.locator("#flow-root a:not([target=_blank][rel=noopener])").count() == 0


@pytest.mark.filterwarnings(SELENIUM)
@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts allow-popups"'])
def test_a_press_in_a_frame_is_answered_in_each_engine(
    engine: Engine, book: str, outer: Outer, sandbox: str
) -> None:
    """What happens in a frame of another host is known outside by its height alone."""
    style = "position:absolute; left:0; top:0; border:0"
    place = html.escape(f"{book}?frame=sentence")
    frame = f'<iframe src="{place}" {sandbox} width="390" height="620" style="{style}"></iframe>'
    engine.visit(outer(f"{frame}{SPOT.format(70, 125)}"))
    wait(engine, "heights.length")
    first = engine.see("heights.at(-1)")
    for _ in range(20):  # the picture answers when its model has been read
        engine.drag("#spot", 0, 0)
        if (
            engine.see("new Promise((done) => setTimeout(done, 500)).then(() => heights.at(-1))")
            != first
        ):
            break
    assert engine.see("heights.at(-1)") > first
