"""What is wider than its box: nothing at 1280 pixels; at 390 it scrolls in its own box.

The gallery and the front page are held to it; `WIDER` finds the same on any page.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.visit import Visit

BOXES = "div.highlight pre, div.math, .tl-box, .pst-scrollable-table-container, .tl-frame"
SHOWN = f"""() => [...document.querySelectorAll('main :is({BOXES})')]
  .filter((box) => box.checkVisibility() && box.clientWidth > 0)"""
NAMED = """(box) => [box.className || box.tagName, box.closest('.cell')?.id ?? '',
  box.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60),
  `${box.scrollWidth} in ${box.clientWidth}`].join(' | ')"""
WIDER = f"""() => ({SHOWN})().filter((box) => box.scrollWidth > box.clientWidth + 1).map({NAMED})"""
STUCK = f"""() => ({SHOWN})().filter((box) => box.scrollWidth > box.clientWidth + 1)
  .filter((box) => {{
    const around = [box];
    while (around[0].parentElement) around.unshift(around[0].parentElement);
    return !around.some((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX));
  }}).map({NAMED})"""
CUT = f"""() => ({SHOWN})().filter((box) => {{
    const {{ left, right }} = box.getBoundingClientRect();
    return left < -1 || right > document.documentElement.clientWidth + 1;
  }}).map({NAMED})"""


@pytest.fixture(scope="module", params=["intro", "chapters/gallery"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def visit(tab: Page, site: str, name: str, width: int, theme: str) -> Iterator[Visit]:
    with Visit(tab, f"{site}/{name}.html", width, theme) as open_page:
        yield open_page


@pytest.mark.parametrize(("width", "theme"), [(1280, "light")], indirect=True)
def test_nothing_is_wider_than_its_box(visit: Visit) -> None:
    assert visit.page.evaluate(f"({SHOWN})().length") >= 2
    assert visit.page.evaluate(WIDER) == []


@pytest.mark.parametrize(("width", "theme"), [(390, "light")], indirect=True)
def test_on_a_phone_what_is_wider_scrolls_in_its_box(visit: Visit) -> None:
    assert visit.page.evaluate(STUCK) == []
    assert visit.page.evaluate(CUT) == []


@pytest.mark.parametrize(("width", "theme"), [(1280, "light")], indirect=True)
def test_a_box_that_is_too_narrow_is_found(visit: Visit) -> None:
    made = (
        """(html) => document.querySelector('main article').insertAdjacentHTML('beforeend', html)"""
    )
    wide = "<div class='tl-box' id='tl-wide'><div style='width:4000px'>wide</div></div>"
    visit.page.evaluate(made, wide)
    (found,) = visit.page.evaluate(WIDER)
    assert found.startswith("tl-box | ") and "4000 in" in found
    visit.page.evaluate("document.getElementById('tl-wide').style.overflow = 'visible'")
    visit.page.evaluate("document.getElementById('tl-wide').remove()")
