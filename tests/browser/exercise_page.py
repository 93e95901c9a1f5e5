"""An exercise in its page: what the tests do with it, and the answers of its source."""

import copy
import re
from pathlib import Path

from playwright.sync_api import Locator, Page

from book import toc
from book.paths import ROOT
from exercises.cells import MARKERS
from tests.browser.live import START_LIMIT, cell
from tests.exercises.assignments import code_cells
from tests.grader.solved import write_out

PAGES = [path.relative_to(ROOT).with_suffix("").as_posix() for path in toc.exercises()]
OPEN = "() => Boolean(window.tlLive)"


def name_of(page_name: str) -> str:
    """The assignment of a page."""
    return Path(page_name).parent.name


def page_of(assignment: str) -> str:
    """The page of an assignment."""
    return next(page for page in PAGES if name_of(page) == assignment)


def visit(page: Page, site: str, assignment: str) -> None:
    """Open the page of an assignment and wait until it can be written on."""
    page.goto(f"{site}/{page_of(assignment)}.html")
    page.wait_for_function(OPEN, timeout=START_LIMIT)


def solutions(assignment: str, student: str = "") -> dict[str, str]:
    """The right answer to each task without the marks around it; on paper it is a student's."""
    made = copy.deepcopy(code_cells(assignment))
    for each in made:
        each.source = each.source.replace('STUDENT_ID = ""', f'STUDENT_ID = "{student}"')
    write_out(made)
    cells = [c for c in made if c.metadata.get("nbgrader", {}).get("solution")]
    return {
        c.id: re.sub(rf"^[ \t]*({'|'.join(MARKERS)})\n?", "", c.source, flags=re.M) for c in cells
    }


def numbers(page: Page) -> dict[str, int]:
    """The number by which the page calls each cell, by its id."""
    found: dict[str, int] = page.evaluate(
        "() => Object.fromEntries(tlLive.cells.map((cell) => [cell.id, cell.number]))"
    )
    return found


def cell_of(page: Page, name: str) -> Locator:
    """The cell with an id."""
    return cell(page, numbers(page)[name])


def code_of(page: Page) -> dict[str, str]:
    """The code of each cell, by its id."""
    found: dict[str, str] = page.evaluate("() => Object.fromEntries(tlLive.work())")
    return found


def upload(page: Page, file: Path, button: str = "Upload notebook") -> None:
    """Choose a file in the dialog that the button opens."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).click()
    chooser.value.set_files(file)


def download(page: Page, into: Path, button: str = "Download notebook") -> Path:
    """Press the button; the file that the reader has then."""
    with page.expect_download() as started:
        page.get_by_role("button", name=button).click()
    file = into / started.value.suggested_filename
    started.value.save_as(file)
    return file
