"""Sentences are left out in the page: rows mark them, Stop is heard, and nothing done is lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.browser.live import PHONE, run_page

ADDRESS = "{}/chapters/influence.html"
SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"
MARKED = """[...document.querySelectorAll(".tl-taught li")]
  .filter((each) => getComputedStyle(each, "::before").content.includes("✓"))
  .map((each) => each.firstChild.textContent.trim())"""
SEEN = """() => {
  const { top, bottom } = document.querySelector(".tl-taught").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1;
}"""
PUT = """(([...document.querySelectorAll("main .tl-widget button")]
  .find((each) => each.innerText === {name!r} && each.offsetParent) ?? {{}}).id = "pressed")"""
DONE = "Number(document.querySelector('main .tl-widget progress')?.value ?? 0)"


@PHONE
def test_a_row_marks_its_sentences_by_a_press_and_by_keys(page: Page, site: str) -> None:
    """Without Python, and where a phone shows the row and not the end of the table."""
    page.goto(ADDRESS.format(site))
    row = page.locator(".tl-left-out td label", has_text="servus").first
    row.click()
    page.locator(".tl-left-out caption").scroll_into_view_if_needed()
    marked = page.evaluate(MARKED)
    assert marked and all("servus" in each.split() for each in marked)
    assert page.evaluate(SEEN) and page.evaluate(SIDEWAYS) <= 0
    page.keyboard.press("ArrowDown")
    marked = page.evaluate(MARKED)
    assert marked and all("videt" in each.split() for each in marked)
    page.locator(".tl-left-out td:nth-child(3)").first.click()  # a number of the first row
    marked = page.evaluate(MARKED)
    assert marked and all("servus" in each or "videt" in each or "amat" in each for each in marked)
    page.get_by_label("Mark no sentences").click()
    assert not page.evaluate(MARKED)


def trainings(page: Page) -> int:
    return int(page.locator("main .tl-widget progress").first.get_attribute("value") or 0)


@PHONE
def test_it_stops_goes_on_and_answers_another_pair(page: Page, site: str) -> None:
    page.goto(ADDRESS.format(site))
    page.set_default_timeout(120_000)
    page.locator("main .tl-start").click()  # one press starts Python and trains
    box = page.locator("main .tl-widget").filter(has=page.get_by_role("progressbar"))
    expect(box.locator(".tl-left-out td").first).to_be_visible(timeout=120_000)
    box.get_by_role("button", name="Stop").first.click()
    expect(box).to_contain_text("Stopped.")
    done = trainings(page)
    page.wait_for_timeout(1_000)
    assert trainings(page) == done, "Stop is heard"
    assert page.evaluate(SIDEWAYS) <= 0
    for name, text in (("possible", "servus lupos videt"), ("impossible", "servus lupos vident")):
        field = box.get_by_label(re.compile(f"^{name} sentence"))
        field.fill(text)
        field.press("Tab")
    expect(box).to_contain_text("After servus lupos the margin")
    assert trainings(page) == done, "another pair needs no training"
    box.get_by_role("button", name="Train without each group").click()
    page.wait_for_function(f"(done) => {DONE} > done + 2", arg=done)
    box.get_by_role("button", name="Test the strongest").click()
    expect(box).to_contain_text("Another computation goes on")
    box.get_by_role("button", name="Stop").first.click()


@PHONE
def test_to_run_the_page_trains_a_few_models_only(page: Page, site: str) -> None:
    page.goto(ADDRESS.format(site))
    cells = run_page(page)
    assert all(each["ran"] for each in cells if not each["waits"])
    assert trainings(page) == 0


@pytest.mark.filterwarnings(SELENIUM)
def test_rows_mark_and_a_press_trains(engine: Engine, site: str) -> None:
    engine.visit(ADDRESS.format(site))
    wait(engine, DRAWN)
    engine.click(".tl-left-out tbody tr:nth-child(2) label")
    assert {"servus"} <= set.intersection(*(set(each.split()) for each in engine.see(MARKED)))
    engine.click("main .tl-start")
    wait(engine, f"{DONE} >= 4")
    engine.see(PUT.format(name="Stop"))
    engine.click("#pressed")
    wait(engine, "document.querySelector('article').innerText.includes('Stopped.')")
