"""The gallery: each part is there once, and is moved by the keyboard and by the pointer."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.visit import Visit

PARTS = {
    ".tl-place": "where a chapter stands",
    ".tl-arch:not(.tl-small)": "the drawing",
    ".tl-product": "a product",
    ".tl-stepper": "steps",
    ".tl-clocks": "clocks",
    ".tl-arrows": "arrows",
    ".tl-heads": "all heads",
    ".tl-chart": "a chart",
    ".tl-question": "a question",
    ".tl-slip": "a slip",
}
ROLES = ("query", "key", "value", "weight", "residual")
COLOR = "(element) => getComputedStyle(element).color"


@pytest.fixture(scope="module", params=["chapters/gallery"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def visit(tab: Page, site: str, name: str, width: int, theme: str) -> Iterator[Visit]:
    with Visit(tab, f"{site}/{name}.html", width, theme) as open_page:
        yield open_page


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_shown(visit: Visit, part: str) -> None:
    shown = visit.page.locator(f"main {part}").first
    assert shown.is_visible(), PARTS[part]
    box = shown.bounding_box()
    assert box and box["width"] > 50 and box["height"] > 20


def test_roles_have_five_colors_in_formulas_as_in_words(visit: Visit) -> None:
    letters, words = (
        [visit.page.locator(f"main {where}.tl-role-{role}").first.evaluate(COLOR) for role in ROLES]
        for where in ("mjx-container ", "span")
    )
    assert letters == words and len(set(words)) == 5


def test_an_entry_of_a_product_spells_its_sum(visit: Visit) -> None:
    product = visit.page.locator(".tl-product")
    said = product.locator(".tl-sum")
    product.locator('.tl-side-p td[data-i="0"][data-j="0"]').focus()
    assert said.inner_text() == "1.0 · 1.0 + 0.5 · 1.0 = 1.5"
    visit.page.keyboard.press("ArrowRight")
    assert said.inner_text() == "1.0 · 0.5 + 0.5 · −1.0 = 0.0"
    visit.page.keyboard.press("ArrowDown")
    assert said.inner_text() == "0.0 · 0.5 + 1.0 · −1.0 = −1.0"
    product.locator('.tl-side-p td[data-i="0"][data-j="2"]').click()
    assert said.inner_text() == "1.0 · 2.0 + 0.5 · 0.0 = 2.0"
    assert product.locator(".tl-lit").count() == 5


def open_panel(stepper: Locator) -> list[bool]:
    return [panel.is_visible() for panel in stepper.locator(".tl-panels > section").all()]


def test_steps_move_by_next_by_tab_and_by_arrow_key(visit: Visit) -> None:
    stepper = visit.page.locator(".tl-stepper").first
    assert open_panel(stepper) == [True, False, False]
    stepper.get_by_role("button", name="Next").click()
    assert open_panel(stepper) == [False, True, False]
    stepper.locator("input").nth(1).press("ArrowRight")
    assert open_panel(stepper) == [False, False, True]
    stepper.locator(":scope > label").first.click()
    assert open_panel(stepper) == [True, False, False]


def test_all_heads_are_as_large_as_they_were_drawn(visit: Visit) -> None:
    for head in visit.page.locator(".tl-heads > svg").all():
        box, drawn = head.bounding_box(), (head.get_attribute("viewBox") or "").split()[2]
        assert box and box["width"] >= float(drawn)


def test_a_clock_follows_its_slider(visit: Visit) -> None:
    frames = visit.page.locator(".tl-frames", has=visit.page.locator(".tl-clocks"))
    before = frames.locator(".tl-clocks").get_attribute("aria-label") or ""
    assert before.startswith("position 3.")
    frames.locator("input").press("ArrowRight")
    after = frames.locator(".tl-clocks").get_attribute("aria-label") or ""
    assert after.startswith("position 6.")
    frames.locator("input").press("ArrowLeft")


def test_an_arrow_is_turned_and_lengthened_and_the_sentence_follows(visit: Visit) -> None:
    said = visit.page.locator(".tl-arrows [aria-live]")
    query = visit.page.get_by_role("slider", name="query of They")
    before = said.inner_text()
    query.press("ArrowLeft")
    assert query.get_attribute("aria-valuetext") == "(1.5, 1.3), 41 degrees, length 2.0"
    query.press("ArrowDown")
    assert query.get_attribute("aria-valuetext") == "(1.4, 1.3), 43 degrees, length 1.9"
    # Scores 3.59 and 1.74 over the root of 2, and fire is far away.
    assert said.inner_text() == "They looks at Dragons with weight 0.77. The output is 3.5, 1.6."
    query.press("ArrowUp")
    query.press("ArrowRight")
    assert said.inner_text() == before


def test_nothing_went_wrong(visit: Visit) -> None:
    assert visit.errors == []
