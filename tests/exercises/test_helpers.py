"""What the helpers tell a student: the tally, an answer on paper, two shapes that clash."""

import dis
import hashlib
import json
import re
import shutil
from collections import Counter
from functools import cache
from types import ModuleType, SimpleNamespace

import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient

from exercises import digests
from exercises.grader.intake.source import read
from tests.exercises.assignments import (
    FOLDER,
    NAMES,
    PRACTICE,
    WITH_PAPER,
    answers,
    code_cells,
    compiled,
    grade,
    helpers as helpers_of,
    is_function,
    path_of,
    tasks,
)

ON_PAPER = [(name, task) for name in NAMES for task in tasks(name) if not is_function(name, task)]
FUNCTIONS = [(name, task) for name in NAMES for task in tasks(name) if is_function(name, task)]


@pytest.fixture
def helpers():
    return helpers_of(student="")


@pytest.mark.parametrize("name", NAMES)
def test_the_tally_at_the_end_counts_every_task(name, capsys):
    *_, last = code_cells(name, "release")
    assert last.id == "tally"
    grade(name, kind="source")
    whole = len(tasks(name))
    paper = sum(where == name for where, _ in ON_PAPER)
    not_yet = f", {paper} not judged yet" if paper else ""
    end = f"{whole - paper} of {whole} tasks checked{not_yet}; hidden tests judge"
    assert capsys.readouterr().out.endswith(f"{end} the rest.\n")
    grade(name, kind="release")
    said = capsys.readouterr().out
    assert f"0 of {whole} tasks checked; hidden tests judge the rest." in said
    checks = [c.id.replace("-check", "") for c in code_cells(name) if "-check" in c.id]
    assert set(re.findall(r"[\w-]+", said.rpartition("Not yet checked: ")[2])) == set(checks)


def test_a_task_counts_when_all_its_parts_have_passed(helpers, capsys):
    helpers["row"] = [3]
    parts = "row-sum", "row-mask"
    for part, count in zip(parts, (0, 1), strict=True):
        helpers["checked"](part, helpers["row"])
        helpers["tally"](*parts)
        assert f"\n{count} of 1 tasks checked; hidden" in capsys.readouterr().out


def test_the_tally_counts_no_answer_that_was_changed_after_its_check(helpers, capsys):
    helpers |= {"double": lambda x: 2 * x, "slip": {"row": "a"}, "row": [3], "line": "a"}
    helpers["DIGESTS"]["line"] = [helpers["digest"]("line", "b")]
    helpers["checked"]("double", helpers["double"])
    helpers["checked"]("slip", helpers["slip"])
    helpers["checked"]("row", helpers["row"], [3], 0.1)
    helpers["checked"]("line", helpers["line"], ["a"])
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "row: not judged yet. Its form is right; grading shows whether the answer is right.",
        "line: not yet right.",
    ]
    helpers["double"] = lambda x: 3 * x
    helpers["tally"]("double", "slip", "greedy", "row", "line")
    assert capsys.readouterr().out.splitlines() == [
        "1 of 5 tasks checked, 1 not judged yet; hidden tests judge the rest.",
        "Changed since their check, so check them again: double.",
        "Not yet checked: greedy, line.",
    ]


def right(name, task):
    """Return the function that gives the right answer to a task on paper."""
    (source,) = [cell.source for cell in code_cells(name) if cell.id == task]
    solution = re.search(r"### BEGIN SOLUTION\n.*?### END SOLUTION", source, re.DOTALL)[0]

    def answer(space):
        exec(solution, space)
        return space[task]

    return answer


@pytest.mark.parametrize(("name", "task"), ON_PAPER)
def test_a_learner_without_an_id_sees_that_an_answer_on_paper_is_right(name, task, capsys):
    given = {task: right(name, task)}
    grade(name, given, kind="release", student="", only=task)
    assert f"{task}: right.\n" in capsys.readouterr().out
    grade(name, given, kind="release", student="ada", only=task)
    assert f"{task}: not judged yet. " in capsys.readouterr().out


@pytest.fixture
def quick(monkeypatch):
    """Make digests of one round in the place of many thousands, which only take longer."""
    made = hashlib.pbkdf2_hmac
    monkeypatch.setattr(hashlib, "pbkdf2_hmac", lambda *given: made(*given[:-1], 1))


@cache
def quick_digests(name):
    return digests.digests(read(path_of(name)))


@pytest.mark.parametrize(("name", "task"), ON_PAPER)
def test_a_learner_without_an_id_sees_that_a_wrong_answer_is_not(name, task, capsys, quick):
    mistakes = {a: f for a, f in answers(name, "mutants").items() if a.startswith(f"{task}__")}
    for answer, function in {"": right(name, task), **mistakes}.items():

        def given(space, function=function):
            space["DIGESTS"] = quick_digests(name)
            return function(space)

        grade(name, {task: given}, kind="release", student="", only=task)
        assert (f"{task}: right." in capsys.readouterr().out) == (not answer), answer


@pytest.mark.parametrize("name", WITH_PAPER)
def test_the_digests_are_those_of_the_solutions(name, tmp_path):
    copy = tmp_path / "source" / name / f"{name}.ipynb"
    copy.parent.mkdir(parents=True)
    shutil.copy(path_of(name), copy)
    for shared in ("helpers.py", "paper.py"):
        shutil.copy(FOLDER / "source" / shared, tmp_path / "source")
    assert digests.update(copy) is False, "run `make exercises`"
    cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    next(cell for cell in cells if cell["id"] == "digests")["source"] = ["DIGESTS = {}"]
    copy.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert digests.update(copy) is True
    cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    kept = {cell["id"]: "".join(cell["source"]) for cell in cells}
    space = {"DIGESTS": {}}
    exec(kept["digests"], space)
    assert space["DIGESTS"].keys() == {task for where, task in ON_PAPER if where == name}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([0.667, 0.25], "right."),
        ([2 / 3 + 0.0007, 0.25 - 0.0007], "right."),
        ([2 / 3 + 0.0011, 0.25], "not yet right in part 1."),
        ([0.25, 2 / 3], "not yet right in part 1, 2."),
        ([float("nan"), 0.25], "not yet right in part 1."),
    ],
)
def test_rounding_does_no_harm_and_a_wrong_number_is_counted_out(helpers, capsys, answer, says):
    parts = [helpers["digest"]("row", helpers["grid"](number, 0.001)) for number in (2 / 3, 0.25)]
    helpers["DIGESTS"]["row"] = parts
    helpers["checked"]("row", answer, answer, 0.001)
    assert capsys.readouterr().out == f"row: {says}\n"


def test_no_letter_and_no_place_is_right_more_often_than_others():
    letters, places = Counter(), Counter()
    for name in set(WITH_PAPER) - {PRACTICE}:
        cells = {cell.id: cell.source for cell in code_cells(name)}
        place = int(re.search(r"prediction_letters\[(\d)\]", cells["prediction"])[1])
        places[place] += 1
        for number in range(25):
            space = helpers_of(name, student=f"s{number}")
            exec(compiled(cells["prediction-choices"]), space)
            letters[space["prediction_letters"][place]] += 1
    assert sorted(places.values()) == [4, 4, 5, 5]
    assert sorted(letters) == ["a", "b", "c", "d"] and sum(letters.values()) == 450
    assert min(letters.values()) > 70 and max(letters.values()) < 135


def test_other_words_of_the_choices_move_no_letter(helpers):
    dealt = helpers["deal_each"]("slip", where=["one", "two", "three"], why=["four", "five"])
    other = {"where": ["a", "b", "a longer text"], "why": ["", "a"]}
    assert helpers["deal_each"]("slip", **other) == dealt


@pytest.mark.parametrize("name", WITH_PAPER)
def test_always_the_same_letter_earns_no_more_than_chance(name):
    cells = {cell.id: compiled(cell.source) for cell in code_cells(name)}
    space, students, right = helpers_of(name), 400, Counter()
    space["textwrap"] = SimpleNamespace(fill=lambda text, *_, **__: text)  # nobody reads the text
    for number in range(students):
        space["STUDENT_ID"] = f"s{number}"
        exec(cells["slip-choices"], space)
        exec(cells["slip"], space)
        right.update([{*space["slip"].values()}.pop()] * (len({*space["slip"].values()}) == 1))
    sides = [len(space["slip_letters"][question]) for question in space["slip"]]
    chance = students / np.prod(sides)
    assert sum(sides) > 4 and max(right.values(), default=0) <= chance + 4 * chance**0.5


def text_of_helpers():
    (cell,) = [cell for cell in code_cells("04_attention") if cell.id == "helpers"]
    return cell.source


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_of_an_assignment_gives_a_name_of_the_helpers_another_value(name):
    """A check that did so would break the helpers for all checks below it."""
    given = {"STUDENT_ID", "SIDES", "PERHAPS", "DIGESTS", "VERSION"}
    space = helpers_of(name)
    own = {key for key, value in space.items() if not isinstance(value, ModuleType)} - given
    found = {
        cell.id: names
        for cell in code_cells(name)
        if cell.id != "helpers" and (names := own & bound_in(cell.source))
    }
    assert found == {}


def bound_in(text):
    code = compile(text, "<cell>", "exec")
    return {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_NAME"}


def in_jupyterlab(*texts):
    """Return what each cell shows of its error, if it has one."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
    NotebookClient(made, allow_errors=True).execute()
    return [["\n".join(out.get("traceback", [])) for out in cell.outputs] for cell in made.cells]


def test_a_check_that_fails_says_so_above_a_traceback_and_names_the_cell():
    first = f"STUDENT_ID = ''\n{text_of_helpers()}"
    check = "assert call('f', f, 1) == 2, 'it must be 2'\nchecked(\"f\", f)"
    wrong = ["def f(x):\n    return 3", check]
    clash = ["def g(x):\n    return np.eye(3) @ np.eye(2)", re.sub(r"\bf\b", "g", check)]
    shown = in_jupyterlab(first, check, "assert False, 'mine'", *wrong, *clash)
    assert shown[0] == shown[3] == shown[5] == []
    assert shown[1] == ["f is not yet written, or its cell has not run."]
    (said,) = shown[2]
    assert "Traceback" in said and said.endswith("mine"), "an error elsewhere is shown as always"
    assert shown[4] == ["f, Cell In[4]: it must be 2"]
    (said,) = shown[6]
    assert said.startswith("g, Cell In[6]: in a matrix product")
    assert "return" in said and "it must be 2" not in said


def test_a_decimal_comma_in_a_list_is_named(helpers):
    with pytest.raises(AssertionError, match=r"contains 4\. If you meant .* reads 0,5 as the two"):
        helpers["expect_numbers"]("row", [0, 5, 0, 5], 2)
    with pytest.raises(AssertionError, match=r"must contain 2 numbers, but it contains 1$"):
        helpers["expect_numbers"]("row", [0.5], 2)


def test_a_check_says_which_stub_has_replaced_an_answer():
    first = f"STUDENT_ID = ''\n{text_of_helpers()}"
    stub = 'def f(x):\n    raise NotImplementedError("f is not yet written")'
    check = "assert call('f', f, 1) == 2\nchecked(\"f\", f)"
    shown = in_jupyterlab(first, "def f(x):\n    return 2", stub, check)
    assert shown[3] == [
        "f is written in Cell In[2], but Cell In[3] has replaced it, because it still says "
        "`raise NotImplementedError`: write the answer into that cell."
    ]


def test_a_cell_that_python_cannot_read_is_explained_by_the_check():
    check = 'expect_numbers("a", a, 2)\nchecked("a", a, a, 0.1)'
    shown = in_jupyterlab(f"STUDENT_ID = ''\n{text_of_helpers()}", "a = [0,05, 0,5]", check)
    said = "a, Cell In[2]: Python cannot read 0,05: if you mean the decimal, write 0.05."
    assert shown[2] == [said]


def typed_late(name, task, capsys):
    """Answer without an id, type one, and check again."""
    space = {}

    def answer(names):
        space["names"] = names
        return right(name, task)(names)

    grade(name, {task: answer}, kind="release", student="", only=task)
    space = space["names"]
    space.update(STUDENT_ID="ada", In=[""])
    capsys.readouterr()
    cells = {cell.id: cell.source for cell in code_cells(name, "release")}
    exec(compiled(cells[f"{task}-numbers"]), space)
    drawn = capsys.readouterr().out
    exec(compiled(next(text for key, text in cells.items() if f"{task}-check" in key)), space)
    return drawn, capsys.readouterr().out


def test_an_id_that_is_typed_late_is_noticed_at_once(capsys):
    drawn, said = typed_late("04_attention", "hand_weights", capsys)
    assert drawn.startswith("You have typed an id, so your numbers and letters have changed")
    assert "These are the right numbers of a notebook without an id." in said


def test_who_has_an_id_from_the_start_hears_nothing_of_it(capsys):
    given = {"hand_weights": right("04_attention", "hand_weights")}
    grade("04_attention", given, kind="release", student="ada", only="hand_weights")
    said = capsys.readouterr().out
    assert "without an id" not in said and "You have typed an id" not in said


def test_a_digest_belongs_to_its_task(helpers):
    assert helpers["digest"]("slip", "ab") != helpers["digest"]("prediction", "ab")


FACTORS = "the left factor has 5 columns and the right factor 3 rows"
X, W, TALL, DEEP = map(np.ones, ((3, 8), (8, 5), (3, 5), (2, 3, 5)))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: W @ X, FACTORS),
        (lambda: W @ X, "X @ W, not W @ X"),
        (lambda: np.dot(W, X), FACTORS),
        (lambda: TALL / TALL.sum(axis=-1), r"keepdims=True keeps it, and \(3,\) becomes \(3, 1\)"),
        (lambda: DEEP / DEEP.sum(axis=1), r"keeps it, and \(2, 5\) becomes \(2, 1, 5\)"),
        (lambda: X + TALL, r"the shapes \(3, 8\) and \(3, 5\) do not fit: NumPy compares"),
        (lambda: torch.ones(8, 5) @ torch.ones(3, 8), FACTORS),
        (lambda: torch.ones(3, 5) / torch.ones(3, 5).sum(dim=-1), "forget keepdim=True"),
    ],
)
def test_a_clash_of_shapes_gets_its_sentence(helpers, wrong, says):
    with pytest.raises(AssertionError, match=f"^task: .*{says}"):
        helpers["call"]("task", wrong)


def test_another_error_stays_what_it_is(helpers):
    with pytest.raises(ValueError, match="not of shapes"):
        helpers["call"]("task", lambda: (_ for _ in ()).throw(ValueError("not of shapes")))


@pytest.mark.parametrize(("name", "task"), FUNCTIONS)
def test_every_assignment_tells_the_two_most_frequent_slips(name, task):
    for slip, says in ((lambda: TALL / TALL.sum(axis=-1), "keepdims=True"), (lambda: W @ X, "5 c")):
        _, errors = grade(name, {task: lambda *_: slip()}, kind="release", only=task)  # noqa: B023
        messages = " ".join(str(error) for cell, error in errors.items() if "-check" in cell)
        assert says.replace("5 c", "columns and the right factor") in messages
