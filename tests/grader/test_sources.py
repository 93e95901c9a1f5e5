"""The judge and the notebooks agree: releases get no points, and mutants lose theirs."""

import json

import pytest

from exercises.grader.intake import assignment, source
from tests.exercises.assignments import WITH_PAPER, answers, lost_by, path_of, source_of
from tests.grader import course, marks
from tests.grader.solved import NAMES, find, task_set

pytestmark = course.SANDBOXED


def read(name, kind="source"):
    notebook = source.read(path_of(name, kind))
    first = next(cell for cell in notebook["cells"] if "STUDENT_ID" in "".join(cell["source"]))
    first["source"] = 'STUDENT_ID = "ann"'
    return notebook


def declaring(limits, folder):
    """Return the judge's view of an assignment with these limits in its metadata."""
    made = json.loads(path_of("04_attention", "source").read_text(encoding="utf-8"))
    made["metadata"]["limits"] = limits
    for shared in ("helpers.py", "paper.py"):
        (folder / shared).write_text("", encoding="utf-8")
    (folder / "04").mkdir()
    (folder / "04/04.ipynb").write_text(json.dumps(made), encoding="utf-8")
    return assignment.load(folder / "04")


def test_the_judge_keeps_the_limits_that_an_assignment_declares(tmp_path):
    limits = declaring({"call": 7, "memory_mb": 2048}, tmp_path).limits
    assert (limits.call, limits.task, limits.memory_mb) == (7, 12, 2048)


@pytest.mark.parametrize("limits", [{"call": 0}, {"call": "5"}, {"calls": 5}])
def test_wrong_limits_are_named(limits, tmp_path):
    with pytest.raises(ValueError, match=r"limits in the metadata must be call, task, total"):
        declaring(limits, tmp_path)


@pytest.mark.parametrize("name", WITH_PAPER)
def test_an_answer_needs_no_name_but_its_own(name):
    by_value = [task for task in task_set(name).tasks if not task.functions]
    assert by_value
    assert all(task.answers == (task.cell,) for task in by_value)


@pytest.mark.parametrize("name", NAMES)
def test_the_release_gets_none(graded_alone, name):
    result = graded_alone(name, json.dumps(read(name, "release")).encode())
    assert result.points == 0
    assert {task.status for task in result.tasks} == {"not yet written"}
    assert result.notes == tuple(n for n in result.notes if "NotImplementedError" in n)


@pytest.mark.parametrize("name", NAMES)
def test_a_mutant_loses_its_points(graded_alone, name):
    todo = sorted(answers(name, "mutants"))
    while todo:
        # One mutant of each task at a time, to need fewer sandboxes.
        notebook, used = read(name), {}
        for mutant in list(todo):
            task = mutant.partition("__")[0]
            if task not in used:
                used[task] = mutant
                todo.remove(mutant)
                find(notebook, task)["source"] = source_of(name, mutant)
        result = graded_alone(name, json.dumps(notebook).encode())
        for task in result.tasks:
            if mutant := used.get(task.name.partition("-")[0]):
                is_lost = task.name in lost_by(name, mutant)
                assert task.points == (0 if is_lost else task.possible), mutant
                assert bool(task.reason) == is_lost and "NameError" not in task.reason, mutant


DEALT = {"prediction": "d", "slip": "acb"}  # to the student of these notebooks
SHOWN = {"prediction": "a", "slip": "bba"}  # by releases that dealt no letters


def judged_as_dealt(graded_alone, notebook, **known):
    """Judge the choices of a notebook of 02_embeddings, whose other tasks need not be judged."""
    others = [task for task in task_set("02_embeddings").tasks if task.cell not in DEALT]
    known |= {"known": {task.name: marks.right(task) for task in others}}
    return graded_alone("02_embeddings", json.dumps(notebook).encode(), **known)


def predict(notebook, letters):
    text = f"prediction = {{'guess': 'b', 'because': '{letters['prediction']}'}}"
    find(notebook, "prediction")["source"] = text


@pytest.mark.parametrize("letters", [DEALT, SHOWN])
@pytest.mark.parametrize("named", [1, 4, 9])
def test_a_changed_version_brings_back_no_earlier_letters(graded_alone, letters, named):
    notebook, questions = read("02_embeddings"), ("where", "repair", "silent")
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("VERSION = 5", f"VERSION = {named}")
    predict(notebook, letters)
    slip = dict(zip(questions, letters["slip"], strict=True))
    find(notebook, "slip")["source"] = f"slip = {slip}"
    result = judged_as_dealt(graded_alone, notebook)
    right = {task.name for task in result.tasks if task.points} & {*DEALT}
    assert right == ({*DEALT} if letters is DEALT else set())
    assert any(f"names version {named}, but its cells are" in flag for flag in result.flags)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("VERSION = 5", "", "names no VERSION"),
        ("VERSION = 5", "VERSION = 4", "names version 4, which 02_embeddings never had"),
    ],
)
def test_a_notebook_whose_version_nobody_knows_is_not_judged(graded_alone, old, new, said):
    notebook = read("02_embeddings")
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace(old, new).replace("deal(", "given(")
    result = judged_as_dealt(graded_alone, notebook)
    assert {task.status for task in result.tasks} == {"not judged"}
    assert said in result.flags[0] and "--version" not in result.flags[0]


@pytest.mark.parametrize("letters", [DEALT, SHOWN])
def test_deleting_what_deals_letters_brings_back_no_earlier_ones(graded_alone, letters):
    notebook = read("02_embeddings")
    predict(notebook, letters)
    notebook["cells"] = [cell for cell in notebook["cells"] if "deal" not in cell["source"]]
    result = judged_as_dealt(graded_alone, notebook)
    (task,) = (task for task in result.tasks if task.name == "prediction")
    assert bool(task.points) == (letters is DEALT)


def test_a_notebook_of_an_earlier_release_keeps_its_points(graded_alone):
    notebook = read("04_attention")
    helpers = next(cell for cell in notebook["cells"] if cell["id"] == "helpers")
    start, end = map(helpers["source"].index, ("def failed_check", "def agrees"))
    helpers["source"] = helpers["source"][:start] + helpers["source"][end:]
    result = graded_alone("04_attention", json.dumps(notebook).encode())
    assert (result.points, result.flags) == (result.possible, ())


def test_a_function_that_keeps_its_first_answer_earns_no_part_in_the_sandbox(graded_alone):
    """In process, for all functions: tests/exercises/test_constant.py."""
    notebook = read("16_scale")
    find(notebook, "fit_exponent")["source"] += (
        "\n\n\ndef kept(function, answers=[]):\n    def call(*args):\n"
        "        answers.append(function(*args))\n        return answers[0]\n\n"
        "    return call\n\n\nfit_exponent = kept(fit_exponent)\n"
    )
    others = [t for t in task_set("16_scale").tasks if t.cell != "fit_exponent"]
    known = {task.name: marks.right(task) for task in others}
    result = graded_alone("16_scale", json.dumps(notebook).encode(), known=known)
    assert [t.points for t in result.tasks if t.name.startswith("fit_exponent")] == [0, 0, 0]
