"""The judge and the notebooks agree: solutions get all points, releases none, mutants lose."""

import importlib
import json
import shutil
from pathlib import Path

import pytest

import exercises
from exercises.grader import assignment, judge, sandbox, source, walls
from exercises.grader.attempt import Case
from exercises.grader.sandboxed.limits import Limits
from tests.exercises.assignments import answers, path_of, source_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
FOLDER = Path(exercises.__file__).parent
NAMES = sorted(path.name for path in (FOLDER / "source").iterdir() if path.is_dir())


def graded(name, notebook):
    made = assignment.load(FOLDER / "source" / name)
    for module in made.imports:
        importlib.import_module(module)  # as the command does, before any clock starts
    limits = Limits(call=10.0).for_torch() if made.uses_torch else Limits(call=10.0)
    nursery = sandbox.Nursery(walls.kit(limits, made.imports))
    try:
        return judge.grade(made, nursery, limits, Case("ann", json.dumps(notebook).encode(), 1))
    finally:
        nursery.close()


def read(name, kind="source"):
    notebook = source.read(path_of(name, kind))
    first = next(cell for cell in notebook["cells"] if "STUDENT_ID" in "".join(cell["source"]))
    first["source"] = 'STUDENT_ID = "ann"'
    return notebook


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_gets_all_points(name):
    result = graded(name, read(name))
    assert [task.reason for task in result.tasks if task.reason] == []
    assert result.points == result.possible > 0
    assert result.flags == ()


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_needs_no_name_but_its_own(name):
    made = assignment.load(FOLDER / "source" / name)
    by_value = [task for task in made.tasks if not task.functions]
    assert by_value
    assert all(task.answers == (task.name,) for task in by_value)


@pytest.mark.parametrize("name", NAMES)
def test_the_release_gets_none(name):
    result = graded(name, read(name, "release"))
    assert result.points == 0
    assert {task.status for task in result.tasks} == {"not yet written"}
    assert result.notes == tuple(n for n in result.notes if "NotImplementedError" in n)


@pytest.mark.parametrize("name", NAMES)
def test_a_mutant_loses_its_points(name):
    todo = sorted(answers(name, "mutants"))
    while todo:
        # One mutant of each task at a time, to need fewer sandboxes.
        notebook, used = read(name), {}
        for mutant in list(todo):
            task = mutant.partition("__")[0]
            if task not in used:
                used[task] = mutant
                todo.remove(mutant)
                _put(notebook, task, source_of(name, mutant))
        result = graded(name, notebook)
        for task in result.tasks:
            if task.name in used:
                assert task.points == 0, used[task.name]
                assert task.reason and "NameError" not in task.reason, used[task.name]


def _put(notebook, task, text):
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade_id") == task:
            cell["source"] = text
