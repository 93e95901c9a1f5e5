"""The page of a class in a browser: sorted at a click, whole without a script, narrow and dark."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from exercises.grader.mark.graded import Graded
from exercises.grader.mark.results import Status
from exercises.grader.report.summary import summary
from tests.browser.visit import Visit
from tests.grader import marks

POINTS = "h2:has-text('Students') + .wide tbody tr td:nth-child(2)"
STUDENTS = "h2:has-text('Students') + .wide tbody tr th a"
CLASS = {"bob": Status.WRONG, "ann": Status.NOT_JUDGED, "s-10": Status.RIGHT, "s-9": Status.BROKEN}
LUMINANCE = """element => {
  const style = getComputedStyle(element);
  const light = color => Math.max(...color.match(/[0-9.]+/g).slice(0, 3).map(Number)) / 255;
  return [light(style.color), light(style.backgroundColor)];
}"""


@pytest.fixture
def page_of_class(tmp_path: Path) -> str:
    """The address of the page of four students."""
    rows = [
        Graded(marks.handed(who), marks.judged(who, softmax=status))
        for who, status in CLASS.items()
    ]
    path = tmp_path / "summary.html"
    path.write_text(summary("demo", rows), "utf-8")
    return path.as_uri()


def texts(page: Page, selector: str) -> list[str]:
    return page.locator(selector).all_inner_texts()


def test_a_click_sorts_up_and_another_down(second_tab: Page, page_of_class: str) -> None:
    with Visit(second_tab, page_of_class, 1280, "light") as visit:
        buttons = visit.page.locator("h2:has-text('Students') + .wide thead button")
        assert texts(visit.page, STUDENTS) == list(CLASS)
        buttons.nth(1).click()
        assert texts(visit.page, STUDENTS) == ["ann", "bob", "s-9", "s-10"]
        assert texts(visit.page, POINTS)[1:] == ["3", "3", "6"]
        buttons.nth(1).press("Enter")
        assert texts(visit.page, STUDENTS)[0] == "s-10"
        buttons.nth(0).click()
        assert texts(visit.page, STUDENTS) == ["ann", "bob", "s-9", "s-10"]
        heads = visit.page.locator("h2:has-text('Students') + .wide thead th")
        assert heads.nth(0).get_attribute("aria-sort") == "ascending"
        assert heads.nth(1).get_attribute("aria-sort") is None
        assert (visit.foreign, visit.missing, visit.errors) == ([], [], [])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_narrow_page_is_no_wider_than_its_screen(
    second_tab: Page, page_of_class: str, theme: str
) -> None:
    with Visit(second_tab, page_of_class, 390, theme) as visit:
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
        names = visit.page.locator(STUDENTS)
        assert all(names.nth(n).bounding_box()["height"] < 40 for n in range(len(CLASS)))
        ink, paper = visit.page.locator("body").evaluate(LUMINANCE)
        assert (ink > 0.8 and paper < 0.2) if theme == "dark" else (ink < 0.2 and paper > 0.8)


def test_without_scripts_the_tables_stand_as_they_are(scriptless: Page, page_of_class: str) -> None:
    scriptless.goto(page_of_class)
    assert texts(scriptless, STUDENTS) == list(CLASS)
    assert scriptless.locator("button").count() == 0
