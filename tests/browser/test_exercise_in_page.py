"""An assignment in its page: written, checked, kept, downloaded, graded and uploaded again."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from book.paths import ROOT
from exercises.grader import mine
from tests.browser.exercise_page import (
    OPEN,
    PAGES,
    cell_of,
    code_of,
    download,
    name_of,
    numbers,
    page_of,
    solutions,
    upload,
    visit,
)
from tests.browser.live import DESKTOP, PHONE, REQUESTS, bar, run_page, type_into, wait
from tests.browser.visit import Visit

NAME = "04_attention"
ANSWERS = solutions(NAME)
MOST = 100_000


def checks_of(page: Page, task: str) -> list[Locator]:
    """The cells that check a task, one for each part."""
    return [cell_of(page, key) for key in numbers(page) if key.startswith(f"{task}-check")]


def check(page: Page, task: str) -> None:
    for cell in checks_of(page, task):
        cell.get_by_role("button", name="Check").click()
        wait(page)


def test_a_reader_does_assignment_04_from_its_tasks_to_a_graded_file(
    page: Page, site: str, tmp_path: Path
) -> None:
    width = page.viewport_size["width"]  # type: ignore[index]
    with Visit(page, f"{site}/{page_of(NAME)}.html", width, "light") as seen:
        page.wait_for_function("() => window.tlLive")
        assert not any("pyodide" in each for each in page.evaluate(REQUESTS)), "before it was asked"
        untouched(page)
        for task, answer in ANSWERS.items():
            type_into(page, numbers(page)[task], answer)
            check(page, task)
            for cell in checks_of(page, task):
                expect(cell.locator(".tl-cell-said")).to_have_text("passes")
        everything_checked(page)

        page.reload()
        page.wait_for_function("() => window.tlLive")
        assert {task: code_of(page)[task] for task in ANSWERS} == ANSWERS
        file = download(page, tmp_path)
        assert file.name == f"{NAME}_exercise.ipynb"
        is_handed_in(file, page_of(NAME), ANSWERS)
        graded = mine.grade(file)
        assert (graded.earned, graded.possible) == (20, 20)

        type_into(page, numbers(page)["softmax"], "softmax = None")
        upload(page, file)
        expect(bar(page)).to_contain_text("Your work is in its cells.")
        assert code_of(page)["softmax"] == ANSWERS["softmax"]
        assert not_run(run_page(page)) == []
        everything_checked(page)
        assert (seen.foreign, seen.missing, seen.errors) == ([], [], [])


def untouched(page: Page) -> None:
    """Answers alone are written on; every check says that nothing is, and the tally counts none."""
    for name in ("softmax", "softmax-check-rows", "helpers", "broken_attention"):
        assert cell_of(page, name).locator(".cm-content").count() == (name in ANSWERS)
    said = {each["id"]: str(each.get("outputs")) for each in run_page(page)}
    for task in ANSWERS:
        for cell in checks_of(page, task):
            expect(cell.locator(".tl-cell-said")).to_have_text("does not pass yet")
        told = [text for key, text in said.items() if key.startswith(f"{task}-check")]
        assert all(f"{task} is not yet written" in said[task] + text for text in told)
    expect(bar(page)).to_contain_text("0 of 7 tasks checked")


def everything_checked(page: Page) -> None:
    expect(bar(page)).to_contain_text("7 of 7 tasks checked")
    output = cell_of(page, "tally").locator(".cell_output")
    expect(output).to_have_text("7 of 7 tasks checked; hidden tests judge the rest.")


def test_a_wrong_answer_hears_what_the_check_saw(page: Page, site: str) -> None:
    visit(page, site, NAME)
    wrong = "def softmax(scores):\n    exponentials = np.exp(scores)\n"
    type_into(
        page,
        numbers(page)["softmax"],
        f"{wrong}    return exponentials / exponentials.sum(axis=-1)",
    )
    check(page, "softmax")
    cell = checks_of(page, "softmax")[0]
    expect(cell.locator(".cell_output")).to_contain_text("keepdims=True keeps it, and (3,) becomes")
    assert cell.locator(".cell_input").is_hidden(), "the output shows, the code stays folded"
    line = cell.locator(".tl-says")
    fits = (
        "(e) => e.getBoundingClientRect().right <= e.closest('pre').getBoundingClientRect().right"
    )
    assert line.evaluate(fits), "it wraps"
    type_into(page, numbers(page)["softmax"], ANSWERS["softmax"])
    expect(cell.locator(".tl-cell-said")).to_have_text("out of date because a cell above changed")
    type_into(page, numbers(page)["student"], "STUDENT_ID = 'ada'")
    slip = cell_of(page, "slip-check")
    type_into(page, numbers(page)["slip"], 'slip = {"where": "A", "test": "b"}')
    check(page, "slip")
    said = slip.locator(".cell_output")
    expect(said).to_contain_text("not judged yet, because of its form: slip['where'] must")
    expect(said).to_contain_text("but it is 'A': write \"a\"")
    type_into(page, numbers(page)["slip"], ANSWERS["slip"])
    check(page, "slip")
    expect(slip.locator(".tl-cell-said")).to_have_text("not judged yet")
    expect(bar(page)).to_contain_text("0 of 7 tasks checked, 1 not judged yet;")


@PHONE
def test_a_reader_asks_for_numbers_whose_code_is_folded(page: Page, site: str) -> None:
    visit(page, site, "13_decoding")
    numbers_of = cell_of(page, "hand_count-numbers")
    numbers_of.get_by_role("button", name="Run").click()
    cells = {each["id"]: each for each in wait(page)}
    expect(numbers_of.locator(".cell_output")).to_contain_text("a prompt of")
    assert "outputs" not in cells["greedy-check"], "other tasks are left alone"


@PHONE
def test_one_press_loses_no_work(page: Page, site: str) -> None:
    visit(page, site, NAME)
    type_into(page, numbers(page)["slip"], ANSWERS["slip"])
    cell_of(page, "slip").get_by_role("button", name="Reset").click()
    assert code_of(page)["slip"] != ANSWERS["slip"]
    cell_of(page, "slip").get_by_role("button", name="Undo reset").click()
    assert code_of(page)["slip"] == ANSWERS["slip"]
    bar(page).get_by_role("button", name="Reset all").click()
    assert code_of(page)["slip"] != ANSWERS["slip"]
    bar(page).get_by_role("button", name="Undo").click()
    assert code_of(page)["slip"] == ANSWERS["slip"]


def write(tab: Page, **answers: str) -> None:
    """Write answers in one of two tabs."""
    tab.bring_to_front()
    for task, answer in answers.items():
        type_into(tab, numbers(tab)[task], answer)


def both_show(tabs: Sequence[Page], **answers: str) -> None:
    """Wait until the tabs show these answers."""
    script = "(all) => Object.entries(all).every(([id, code]) => tlLive.work().get(id) === code)"
    for tab in tabs:
        tab.wait_for_function(script, arg=answers)


@DESKTOP
def test_two_tabs_keep_what_is_written_in_either(page: Page, site: str) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        visit(tab, site, NAME)
    stubs = code_of(page)
    write(page, softmax="one = 1")
    write(other, slip="two = 2", attention="three = 3")
    write(page, prediction="four = 4")
    written = {"softmax": "one = 1", "slip": "two = 2", "prediction": "four = 4"}
    both_show([page, other], **written, attention="three = 3")

    # Back to the book's text in one tab: this cell alone, in both.
    other.bring_to_front()
    cell_of(other, "attention").get_by_role("button", name="Reset").click()
    both_show([page, other], **written, attention=stubs["attention"])
    expect(bar(page)).to_contain_text("Another tab has put Cell 16 back to the book's text.")
    page.bring_to_front()
    bar(page).get_by_role("button", name="Undo reset").click()
    both_show([page], attention="three = 3")
    # A cell that was written in both tabs keeps its text in each, which says so.
    write(other, softmax="five = 5")
    expect(bar(page)).to_contain_text("Another tab has changed Cell 5, too.")
    both_show([page], **written)
    both_show([other], **written | {"softmax": "five = 5"})
    write(page, softmax="six = 6")
    expect(bar(other)).to_contain_text("Another tab has changed Cell 5, too.")
    both_show([other], softmax="five = 5")

    page.reload()
    page.wait_for_function(OPEN)
    both_show([page], **written | {"softmax": "six = 6"})

    # What one tab puts back is kept nowhere, so the other shows it no longer, and can undo that.
    other.bring_to_front()
    bar(other).get_by_role("button", name="Reset all").click()
    both_show([page, other], **{task: stubs[task] for task in written})
    told = [f"Cell {numbers(page)[task]}" for task in ("softmax", "prediction", "slip")]
    for name in told:
        expect(bar(page)).to_contain_text(name)
    page.bring_to_front()
    bar(page).get_by_role("button", name="Undo reset").click()
    both_show([page, other], **written | {"softmax": "six = 6"})
    other.close()


@DESKTOP
def test_a_notebook_that_jupyterlab_saved_brings_its_work(
    page: Page, site: str, tmp_path: Path
) -> None:
    visit(page, site, NAME)
    notebook = json.loads((ROOT / f"{page_of(NAME)}.ipynb").read_text(encoding="utf-8"))
    for each in notebook["cells"]:
        if each["id"] in ANSWERS:
            each["source"] = ANSWERS[each["id"]]  # one string, as some programs write it
        if each["cell_type"] == "code" and "nbgrader" in each["metadata"]:
            each["id"] = f"new-{each['id']}"  # and with ids of their own
    scratch = {"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "source": ["1"]}
    file = tmp_path / "saved.ipynb"
    file.write_text(
        json.dumps(notebook | {"cells": [*notebook["cells"], scratch]}), encoding="utf-8"
    )
    type_into(page, numbers(page)["student"], "STUDENT_ID = 'ada'")
    upload(page, file)
    expect(bar(page)).to_contain_text("no place for what you added: 1 cell left out.")
    assert {task: code_of(page)[task] for task in ANSWERS} == ANSWERS
    cell_of(page, "student").get_by_role("button", name="Run").click()
    wait(page)  # a run says other things, and the way back stays
    bar(page).get_by_role("button", name="Undo upload").click()
    assert code_of(page)["student"] == "STUDENT_ID = 'ada'"
    assert code_of(page)["softmax"] != ANSWERS["softmax"]


@PHONE
def test_another_file_is_refused_in_a_sentence_and_changes_nothing(
    page: Page, site: str, tmp_path: Path
) -> None:
    visit(page, site, NAME)
    type_into(page, numbers(page)["slip"], ANSWERS["slip"])
    before = code_of(page)
    letter = tmp_path / "letter.txt"
    for text in ("Dear", "{}", '{"nbformat": 4}', "null", '{"nbformat": 4, "cells": [null]}'):
        letter.write_text(text, encoding="utf-8")
        upload(page, letter)
        expect(bar(page)).to_contain_text("This file is no notebook")
    for other in PAGES:
        if name_of(other) != NAME:
            bar(page).locator(".tl-live-said").evaluate("(e) => e.replaceChildren()")
            upload(page, ROOT / f"{other}.ipynb")
            expect(bar(page)).to_contain_text("and this page is “Exercise 04: Attention”.")
    long = json.loads((ROOT / f"{page_of(NAME)}.ipynb").read_text(encoding="utf-8"))
    next(each for each in long["cells"] if each["id"] == "softmax")["source"] = "#" * (MOST + 1)
    letter.write_text(json.dumps(long), encoding="utf-8")
    upload(page, letter)
    expect(bar(page)).to_contain_text("Cell 5 of this file has more than 100,000 characters")
    assert code_of(page) == before


@DESKTOP
def test_an_answer_that_is_too_long_is_refused_at_once(page: Page, site: str) -> None:
    visit(page, site, NAME)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    for typed, pasted, length in (("s", 30_000_000, "30,000,000"), ("st", MOST, "100,001")):
        type_into(page, numbers(page)["softmax"], typed)
        page.keyboard.press("ControlOrMeta+a")
        page.evaluate("(length) => navigator.clipboard.writeText('#'.repeat(length))", pasted)
        page.keyboard.press("ControlOrMeta+v")
        page.keyboard.press("End")
        page.keyboard.type("x")
        expect(bar(page)).to_contain_text("Cell 5 stays as it was. A cell of this page may have")
        expect(bar(page)).to_contain_text(f"and with that text it would have {length}.")
        wanted = "sx" if pasted > MOST else "#" * MOST
        page.reload()
        page.wait_for_function(OPEN)
        assert code_of(page)["softmax"] == wanted


FULL = """for (let n = 2 ** 23; n >= 1; n /= 2) {
  try { localStorage.setItem(`full${n}`, "x".repeat(n)); } catch {}
}"""


@PHONE
def test_the_page_never_says_that_it_kept_what_it_did_not(page: Page, site: str) -> None:
    kept = {"softmax": 5, "slip": "two = 2"}
    key = f"tl-live:/{page_of(NAME)}"
    for text in ("{", json.dumps(kept)):
        visit(page, site, NAME)
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
        page.reload()
        page.wait_for_function(OPEN)
        expect(bar(page)).to_contain_text("had kept of this page cannot be read")
    assert "softmax is not yet written" in code_of(page)["softmax"]
    assert code_of(page)["slip"] == kept["slip"]
    page.evaluate(FULL)
    type_into(page, numbers(page)["softmax"], "one = 1")
    expect(bar(page)).to_contain_text("Your browser does not keep what you write on this page")


@DESKTOP
def test_an_answer_that_needs_torch_is_written_and_kept_all_the_same(page: Page, site: str) -> None:
    visit(page, site, "12_training_in_torch")
    cell = cell_of(page, "torch_loop")
    expect(cell.locator(".tl-cell-said")).to_contain_text("its check needs PyTorch")
    assert cell.get_by_role("button", name="Run").count() == 0
    type_into(page, numbers(page)["torch_loop"], "torch_loop = None")
    page.reload()
    page.wait_for_function("() => window.tlLive")
    assert code_of(page)["torch_loop"] == "torch_loop = None"


@pytest.mark.parametrize(
    ("name", "page"),
    list(zip(PAGES, itertools.cycle([1280, 390]), strict=False)),
    indirect=["page"],
)
def test_every_assignment_is_solved_in_its_page(
    page: Page, site: str, name: str, tmp_path: Path
) -> None:
    """All that does not need torch; the file that is handed in holds every answer."""
    visit(page, site, name_of(name))
    right = solutions(name_of(name))
    page.evaluate("(work) => tlLive.take(new Map(Object.entries(work)))", right)
    cells = run_page(page)
    assert not_run(cells) == []
    checks = [each for each in cells if "-check" in each["id"]]
    done = {each["id"].partition("-check")[0] for each in checks if not each["torch"]}
    if all(each["torch"] for each in checks):  # the elective about torch has none for a page
        assert "torch" in name
    else:
        assert len(done) >= 3
        expect(bar(page)).to_contain_text(f"{len(done)} of {len(right)} tasks checked")
    is_handed_in(download(page, tmp_path), name, right)


def not_run(cells: Sequence[dict[str, Any]]) -> list[str]:
    """The cells that have not run, though they need no torch."""
    return [each["id"] for each in cells if not each["ran"] and not each["torch"]]


def is_handed_in(file: Path, name: str, right: dict[str, str]) -> None:
    """A file holds each answer; all else in it is as in the notebook of the page."""
    handed_in = json.loads(file.read_text(encoding="utf-8"))
    release = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    for one, other in zip(handed_in["cells"], release["cells"], strict=True):
        code = "".join(one["source"])
        assert code == right.get(one["id"], "".join(other["source"]))
        assert one | {"source": []} == other | {"source": []}
