"""Every chapter runs in its page, with no network but loopback, and gives what is stored."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from book import toc
from book.environment import environment
from book.live.drawings import drawings
from book.paths import ROOT
from tests.browser.axe import COLORS, violations
from tests.browser.live import HEARS_RUNS, REQUESTS, bar, cell, run_page, type_into, wait
from tests.browser.test_page import SPILLING
from tests.browser.visit import Visit, new_tab

CHAPTERS = [path.relative_to(ROOT).with_suffix("").as_posix() for path in toc.notebooks()]
for each in ("19_published_model", "own_experiment", "looking_inside"):
    CHAPTERS.remove(f"chapters/{each}")  # needs a model that is loaded: test_published.py
IGNORED = "nbval-ignore-output"
NUMBER = "(id) => tlLive.cells.find((cell) => cell.id === id).number"
UNMOVED = {f"chapters/{name}" for name in ("01_why_attention", "training_measured")}
UNMOVED |= {f"chapters/look_back_{part}" for part in (1, 2, 3)}
UNMOVED |= {f"chapters/{name}" for name in ("real_model",)}
UNMOVED |= {f"chapters/{name}" for name in ("worked_numbers", "gallery", "number_formats")}
"""Pages with no figure that hangs on a number."""

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
def ran(visit: Visit, name: str) -> list[dict[str, Any]]:
    """What the cells gave once the button was pressed."""
    asked = visit.page.evaluate(REQUESTS)
    assert not any("pyodide" in each for each in asked), "loaded before it was asked for"
    found = run_page(visit.page)
    waiting = {one["id"] for one in found if one["waits"]}
    assert not any(one["ran"] for one in found if one["waits"])
    for id in drawings([*stored(name).values()]):  # figures run with their cells
        if id in waiting:
            pressed(visit.page, id)
    return wait(visit.page)


def stored(name: str) -> dict[str, dict[str, Any]]:
    """The code cells of a chapter by their ids."""
    notebook = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in notebook["cells"] if cell["cell_type"] == "code"}


def said(output: dict[str, Any]) -> str:
    """What an output says; a table and a chart say it in words."""
    return "".join(output.get("text", "") or output["data"]["text/plain"]).strip()


def test_every_cell_gives_what_is_stored(ran: list[dict[str, Any]], name: str) -> None:
    book = stored(name)
    assert [one["id"] for one in ran] == list(book)
    wrong = {}
    for one in ran:
        expected = book[one["id"]]
        if one["torch"] or IGNORED in expected["metadata"].get("tags", []):
            continue
        found = [said(output) for output in one.get("outputs", [])]
        if not one["ran"] or found != [said(output) for output in expected["outputs"]]:
            wrong[one["id"]] = one.get("outputs")
    assert wrong == {}


def test_only_what_needs_torch_is_left_out(ran: list[dict[str, Any]], name: str) -> None:
    left_out = [one["id"] for one in ran if not one["ran"]]
    assert left_out == [one["id"] for one in ran if one["torch"]]
    assert len(left_out) < len(ran)


def test_the_page_stays_as_it_should_be(ran: list[dict[str, Any]], visit: Visit) -> None:
    assert visit.foreign == []
    assert visit.missing == []
    assert visit.errors == []
    for wide in (1280, 390):
        visit.page.set_viewport_size({"width": wide, "height": 900})
        assert visit.page.evaluate(SPILLING) == []
    says = "(cells have|Cell [0-9]+ has) run|It answers now"  # where no cell can be typed into
    assert re.search(says, bar(visit.page).inner_text())


def test_a_page_that_has_run_has_no_violation(ran: list[dict[str, Any]], visit: Visit) -> None:
    for wide in (1280, 390):
        visit.page.set_viewport_size({"width": wide, "height": 900})
        visit.turn("light")
        assert violations(visit.page) == []
        visit.turn("dark")
        assert violations(visit.page, COLORS) == []
    shown = visit.page.locator("main .tl-widget :not(.tl-quiet) > .widget-html-content").all()
    assert all(each.get_attribute("aria-live") == "polite" for each in shown)


def test_a_press_draws_anew_what_belongs_to_its_cell(
    ran: list[dict[str, Any]], visit: Visit, name: str
) -> None:
    """Each figure runs with its cell, and moves where a changed number moves it without a page."""
    here = {one["id"]: one for one in ran if one["ran"]}
    words = [sys.executable, "-m", "book.moving", name.rpartition("/")[2]]
    env = environment() | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    found = subprocess.run(words, check=True, env=env, capture_output=True, cwd=ROOT)
    presses = json.loads(found.stdout)
    assert presses or name in UNMOVED
    for press in presses:
        with changed(visit.page, press["changed"], press["code"]):
            now = {one["id"]: one for one in pressed(visit.page, press["pressed"])}
        still = [id for id in press["moves"] if now[id]["outputs"] == here[id]["outputs"]]
        assert still == [], press


def test_each_figure_runs_when_its_cell_is_pressed(
    ran: list[dict[str, Any]], visit: Visit, name: str
) -> None:
    here = {one["id"] for one in ran if one["ran"]}
    visit.page.evaluate(HEARS_RUNS)
    for id, owned in drawings([*stored(name).values()]).items():
        figures = here & set(owned)
        if figures and id in here:
            visit.page.evaluate("window.heard = []")
            pressed(visit.page, id)
            assert figures <= set(visit.page.evaluate("window.heard")), id


@contextmanager
def changed(page: Page, id: str, code: str) -> Iterator[None]:
    """Another code by the keyboard, and the book's again by a press of *Reset*."""
    number = page.evaluate(NUMBER, id)
    type_into(page, number, code)
    yield
    cell(page, number).get_by_role("button", name=f"Reset cell {number}").click()


def pressed(page: Page, id: str) -> list[dict[str, Any]]:
    """Press *Run* at a cell, and wait; all cells with what they gave."""
    number = page.evaluate(NUMBER, id)
    cell(page, number).get_by_role("button", name=f"Run cell {number}").click()
    return wait(page)
