"""A language of one's own in its page: typed, trained, saved as a file and opened from one."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from course.languages.presets import PRESETS
from tests.browser.exercise_page import download, upload
from tests.browser.live import HEARS_RUNS, IDLE, PHONE, cell, run_page, type_into

RULES = 2
"""The cell of the page that holds the rules."""


def open_page(page: Page, site: str) -> None:
    page.goto(f"{site}/chapters/own_language.html")
    page.set_default_timeout(30_000)
    page.wait_for_function(
        "() => window.tlLive"
    )  # the buttons of the text are there before a press
    page.locator(".tl-cell-bar").first.get_by_role("button", name="Run cell").click()
    page.wait_for_function(IDLE)


@PHONE
def test_a_language_is_saved_opened_and_trained(page: Page, site: str, tmp_path: Path) -> None:
    open_page(page, site)
    rules = cell(page, RULES)
    saved = download(page, tmp_path, "Save text")
    assert saved.name == "own-rules.txt"
    text = saved.read_text(encoding="utf-8")
    assert text.strip().endswith("V[pl] -> vident | amant")

    # The view is alive before the rules change, and goes on with those of the reader.
    view = page.locator("main div.cell").filter(has=page.get_by_role("button", name="Train"))
    view.get_by_role("button", name="Make it live").click()
    expect(view.locator(".tl-said")).to_have_text("Press Train.")
    (tmp_path / "mine.txt").write_text(PRESETS["gender"].rules, encoding="utf-8")
    upload(page, tmp_path / "mine.txt", "Open text")
    expect(rules.locator(".cm-content")).to_contain_text("красив")
    expect(rules.locator(".tl-cell-said")).to_contain_text("nothing has run yet")
    rules.get_by_role("button", name="Run cell").click()
    page.wait_for_function(IDLE)
    view.get_by_role("button", name="Train").click()
    expect(view.locator(".tl-said")).to_contain_text("After 400 steps")
    expect(view.locator("li").first).to_contain_text("possible: ")
    assert set(view.locator("li").first.inner_text().split()[1:]) <= set(
        PRESETS["gender"].rules.split()
    )

    page.reload()
    expect(rules.locator(".cm-content")).to_contain_text("красив")


@PHONE
def test_a_file_that_fits_no_text_is_refused(page: Page, site: str, tmp_path: Path) -> None:
    open_page(page, site)
    (tmp_path / "mine.txt").write_text('S -> """ | a', encoding="utf-8")
    upload(page, tmp_path / "mine.txt", "Open text")
    expect(page.locator(".tl-live-bar")).to_contain_text('"""')


@PHONE
def test_to_run_the_page_trains_one_model(page: Page, site: str) -> None:
    """What trains many waits, and no cell below it makes it run either."""
    open_page(page, site)
    page.evaluate(HEARS_RUNS)
    page.evaluate("window.heard = []")
    run_page(page)
    heard = page.evaluate("window.heard")
    assert "trained" in heard and "presets-figure" in heard
    assert not {"seeds", "two-rules-run", "by-seeds", "case-claims"} & set(heard)
    expect(page.locator(".tl-live-bar")).to_contain_text("waits for a press of its own: Cell")
    # Nor does a cell that only spells its name, after another cell has used that name.
    twice = "by_seed = 1\n\n\ndef twice():\n    return 2 * by_seed"
    for id, code in (("pair", twice), ("two-rules", 'print("by_seed")')):
        run(page, id, code)
    assert "seeds" not in page.evaluate("window.heard")
    # A function has the names that its cells above gave, whatever a cell below has done with them.
    run(page, "two-rules", 'by_seed = "x"')
    expect(run(page, "readable", "print(twice())").locator(".cell_output").last).to_have_text("2")


def run(page: Page, id: str, code: str) -> Locator:
    """Type into a cell and press its button; the cell."""
    number = page.evaluate(f"tlLive.cells.find((cell) => cell.id === '{id}').number")
    type_into(page, number, code)
    cell(page, number).get_by_role("button", name="Run cell").click()
    page.wait_for_function(IDLE)
    return cell(page, number)
