"""On paper: folds are open, sliders and buttons gone, code is not cut, slips are whole."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.visit import Visit

FOLD = """<details class="hide" id="tl-fold"><summary>Show</summary>
<div class="highlight"><pre>x = 1  # {long}</pre></div></details>""".replace(
    "{long}", "a comment " * 40
)
ADD = "(html) => document.querySelector('main article').insertAdjacentHTML('beforeend', html)"
CUT = """() => [...document.querySelectorAll('main div.highlight pre, main .tl-box')]
  .filter((box) => box.checkVisibility())
  .filter((box) => box.scrollWidth > box.clientWidth + 1
    && getComputedStyle(box).overflowX !== 'visible')
  .map((box) => box.textContent.slice(0, 60))"""

CLIPPED = """() => [...document.querySelectorAll('main *')]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1
    && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(box).overflowX)
    && !box.closest('svg, .math, select'))
  .map((box) => `${box.tagName}.${box.className} ${box.textContent.slice(0, 60)}`)"""
PARTS = "table, pre, svg, mjx-math, .tl-product, .tl-row"
BEYOND = f"""() => [...document.querySelectorAll('main :is({PARTS})')]
  .filter((part) => part.checkVisibility()
    && part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((part) => part.textContent.slice(0, 60))"""


FADED = """() => [...document.querySelectorAll('main details > :not(summary)')]
  .filter((part) => part.getAnimations().length || getComputedStyle(part).opacity !== '1')
  .map((part) => part.textContent.slice(0, 60))"""
INK = """() => {
  const light = (color) => Math.max(...color.match(/[0-9.]+/g).slice(0, 3).map(Number)) / 255;
  const of = (name, what) => light(getComputedStyle(document.querySelector(name))[what]);
  return [of('body', 'backgroundColor'), of('main article p', 'color')];
}"""


@pytest.fixture
def paper(tab: Page, site: str) -> Iterator[Page]:
    """The gallery as it is printed on A4, with a fold that holds a long line."""
    with Visit(tab, f"{site}/chapters/gallery.html", 718, "light") as visit:
        visit.page.evaluate(ADD, FOLD)
        visit.page.emulate_media(media="print")
        yield visit.page
        visit.page.emulate_media(media="screen")


def test_folds_are_open_on_paper_and_closed_again_after(paper: Page) -> None:
    fold = paper.locator("#tl-fold")
    paper.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert fold.locator("pre").is_visible()
    assert paper.locator("main details:not([open])").count() == 0
    paper.evaluate("dispatchEvent(new Event('afterprint'))")
    assert fold.get_attribute("open") is None


def test_the_ledger_of_the_notes_stays_folded_unless_it_was_opened(tab: Page, site: str) -> None:
    with Visit(tab, f"{site}/chapters/04_attention.html", 718, "light") as visit:
        fold = visit.page.locator("details.above-output:has(.tl-ledger)")
        for opened in (False, True):
            if opened:
                fold.locator("summary").click()
            visit.page.emulate_media(media="print")
            visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
            assert fold.locator(".tl-ledger").is_visible() is opened
            assert fold.locator(".collapsed").is_visible() is not opened
            assert visit.page.locator("main details:not([open])").count() == (0 if opened else 1)
            visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
            visit.page.emulate_media(media="screen")


def test_what_is_moved_is_not_printed_and_every_step_of_a_slip_and_of_a_stepper_is(
    paper: Page,
) -> None:
    moved = paper.locator("main :is(button, input[type=range], .copybtn)")
    assert moved.count() > 4
    assert [each.evaluate("(e) => e.outerHTML") for each in moved.all() if each.is_visible()] == []
    assert paper.locator(".tl-frames output").first.is_visible(), "where the slider stands"
    for steps in (".tl-slip li", ".tl-panels > section"):
        shown = [step.is_visible() for step in paper.locator(steps).all()]
        assert len(shown) > 2 and all(shown), steps
    assert not any(said.is_visible() for said in paper.locator(".tl-feedback").all())


def test_nothing_is_cut_off(paper: Page) -> None:
    paper.evaluate("document.getElementById('tl-fold').open = true")
    assert paper.evaluate(CUT) == []
    code = paper.locator("#tl-fold pre")
    assert code.evaluate("(e) => e.getBoundingClientRect().height / 30") > 2, "it wraps"


def test_nothing_is_wider_than_the_paper(tab: Page, site: str, name: str) -> None:
    with Visit(tab, f"{site}/{name}.html", 718, "light") as visit:
        visit.page.emulate_media(media="print")
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert visit.page.evaluate(BEYOND) == []
        assert visit.page.evaluate(CLIPPED) == []
        visit.page.emulate_media(media="screen")


def test_a_fold_that_has_just_been_opened_is_seen(fresh: Page, site: str) -> None:
    # With motion, for the contents of a fold fade in.
    fresh.set_viewport_size({"width": 718, "height": 900})
    fresh.goto(f"{site}/chapters/04_attention.html")
    fresh.emulate_media(media="print")
    fresh.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert fresh.locator("main details.hide[open]").count() > 3
    assert fresh.evaluate(FADED) == []


def test_a_dark_page_is_printed_light(tab: Page, site: str) -> None:
    with Visit(tab, f"{site}/chapters/04_attention.html", 718, "dark") as visit:
        paper, ink = visit.page.evaluate(INK)
        assert paper < 0.3 and ink > 0.7
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        paper, ink = visit.page.evaluate(INK)
        assert paper > 0.9 and ink < 0.3
        visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert visit.page.evaluate("document.documentElement.dataset.theme") == "dark"
