"""Every chapter runs in its page, with no network but loopback, and gives what is stored."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from book import toc
from book.paths import ROOT
from tests.browser.axe import COLORS, violations
from tests.browser.live import REQUESTS, bar, run_page
from tests.browser.test_page import SPILLING
from tests.browser.visit import Visit, new_tab

CHAPTERS = [path.relative_to(ROOT).with_suffix("").as_posix() for path in toc.notebooks()]
IGNORED = "nbval-ignore-output"

pytestmark = pytest.mark.usefixtures("runnable")


@pytest.fixture(scope="module", params=CHAPTERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def width(name: str) -> int:
    """A chapter runs once, every other one on a phone; what it comes to is then seen on both."""
    return (1280, 390)[CHAPTERS.index(name) % 2]


@pytest.fixture(scope="module")
def visit(context: BrowserContext, site: str, name: str, width: int) -> Iterator[Visit]:
    page = new_tab(context)
    with Visit(page, f"{site}/{name}.html", width, "light") as open_page:
        yield open_page
    page.close()


@pytest.fixture(scope="module")
def ran(visit: Visit) -> list[dict[str, Any]]:
    """What the cells gave once the button was pressed."""
    asked = visit.page.evaluate(REQUESTS)
    assert not any("pyodide" in each for each in asked), "loaded before it was asked for"
    return run_page(visit.page)


def stored(name: str) -> dict[str, dict[str, Any]]:
    """The code cells of a chapter by their ids."""
    notebook = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in notebook["cells"] if cell["cell_type"] == "code"}


def said(output: dict[str, Any]) -> str:
    """What an output says; a table and a chart say it in words."""
    return "".join(output.get("text", "") or output["data"]["text/plain"]).strip()


def test_every_cell_gives_what_is_stored(ran: list[dict[str, Any]], name: str) -> None:
    book = stored(name)
    assert [cell["id"] for cell in ran] == list(book)
    wrong = {}
    for cell in ran:
        expected = book[cell["id"]]
        if cell["torch"] or IGNORED in expected["metadata"].get("tags", []):
            continue
        found = [said(output) for output in cell.get("outputs", [])]
        if not cell["ran"] or found != [said(output) for output in expected["outputs"]]:
            wrong[cell["id"]] = cell.get("outputs")
    assert wrong == {}


def test_only_what_needs_torch_is_left_out(ran: list[dict[str, Any]], name: str) -> None:
    left_out = [cell["id"] for cell in ran if not cell["ran"]]
    assert left_out == [cell["id"] for cell in ran if cell["torch"]]
    assert len(left_out) < len(ran)


def test_the_page_stays_as_it_should_be(ran: list[dict[str, Any]], visit: Visit) -> None:
    assert visit.foreign == []
    assert visit.missing == []
    assert visit.errors == []
    for wide in (1280, 390):
        visit.page.set_viewport_size({"width": wide, "height": 900})
        assert visit.page.evaluate(SPILLING) == []
    assert "have run" in bar(visit.page).inner_text()


def test_a_page_that_has_run_has_no_violation(ran: list[dict[str, Any]], visit: Visit) -> None:
    for wide in (1280, 390):
        visit.page.set_viewport_size({"width": wide, "height": 900})
        visit.turn("light")
        assert violations(visit.page) == []
        visit.turn("dark")
        assert violations(visit.page, COLORS) == []
    shown = visit.page.locator("main .tl-widget .widget-html-content").all()
    assert all(each.get_attribute("aria-live") == "polite" for each in shown)
