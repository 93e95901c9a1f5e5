"""Run an assignment in this process, with answers in the place of its tasks."""

from collections import Counter
from functools import cache
from pathlib import Path

import nbformat

import exercises
from exercises.answers import load, task_of, text_of
from exercises.grader.intake.forms import EXERCISE
from exercises.grader.intake.source import assignments, path_of as file_of, read

FOLDER = Path(exercises.__file__).parent
NAMES = [path.name for path in assignments(FOLDER / "source")]
PRACTICE = "00_warm_up"  # the first hand-in, which is shorter than the others
TRAINING, TORCH = "10_12_models_and_training", "12_training_in_torch"
WITH_PAPER = [name for name in NAMES if name != TORCH]  # all others have tasks of each kind
TRAINED = ("agreement_loop", "overfit", "torch_loop")  # what trains a model, which takes seconds
KINDS = ("implement", "by-hand", "prediction", "bug", "slip")


def change(path, old, new):
    """Replace what stands once in a file of a bank."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, "the template has changed"
    path.write_text(text.replace(old, new), encoding="utf-8")


def path_of(name, kind="source"):
    if kind == "release":
        return FOLDER / kind / name / f"{name}{EXERCISE}.ipynb"
    return file_of(FOLDER / kind / name)


def notebook(name, kind="source"):
    """The notebook as it runs: with the helpers, which the sources share."""
    return nbformat.from_dict(read(path_of(name, kind)))


@cache
def code_cells(name, kind="source"):
    return [c for c in notebook(name, kind).cells if c.cell_type == "code"]


def marks_of(cell):
    return cell.metadata.get("nbgrader", {})


@cache
def compiled(source):
    return compile(source, "<cell>", "exec")


@cache
def tasks(name):
    """The kind of each task of an assignment, by name."""
    solutions = [cell for cell in code_cells(name) if marks_of(cell).get("solution")]
    return {
        marks_of(cell).grade_id: next((tag for tag in cell.metadata.get("tags", [])), None)
        for cell in solutions
    }


def task_of_cell(cell_id):
    """The task that a cell belongs to: its name without -example, -check or -check-PART."""
    return cell_id.partition("-check")[0].removesuffix("-example")


def helpers(name="04_attention", kind="source", student="x"):
    """The names that the helpers of an assignment define, for a student."""
    space = {"STUDENT_ID": student}
    (cell,) = [c for c in code_cells(name, kind) if marks_of(c).get("grade_id") == "helpers"]
    exec(compiled(cell.source), space)
    return space


def given_by(name):
    """The names that an assignment gives, without those of its checks."""
    space = {"STUDENT_ID": "x"}
    for cell in code_cells(name):
        marks = marks_of(cell)
        if (marks.get("locked") and not marks.get("grade")) or cell.id.startswith("given"):
            exec(compiled(cell.source), space)
    return space


def check_of(name, check):
    """The text of a check."""
    (text,) = [cell.source for cell in code_cells(name) if cell.id == check]
    return text


def points(name):
    """The points of each check by its name: TASK, or TASK-PART for a part of a task."""
    graded = [marks_of(cell) for cell in code_cells(name) if marks_of(cell).get("grade")]
    return {marks.grade_id.replace("-check", ""): float(marks.points) for marks in graded}


def worth(name, task):
    """The points of one task, by the names of its checks."""
    return {key: each for key, each in points(name).items() if key.partition("-")[0] == task}


def lost_by(name, answer):
    """The checks that a mistake must fail: the parts of TASK__PART__PART__WHAT, else all."""
    task, *parts, _ = answer.split("__")
    return {f"{task}-{part}" for part in parts} or set(worth(name, task))


@cache
def answers(name, file):
    """The answers TASK__WHAT of mutants*.py or alternatives.py, those of the catalogue included."""
    return load(path_of(name).parent, file)


def source_of(name, answer):
    """The text of a cell that gives an answer, with all that it calls."""
    task = task_of(answer)
    return text_of(answers(name, "mutants")[answer], task, is_function(name, task))


def every(file):
    """Name each answer of each assignment, for parametrize."""
    return [(name, answer) for name in NAMES for answer in answers(name, file)]


def is_function(name, task):
    cell = next(cell for cell in code_cells(name) if marks_of(cell).get("grade_id") == task)
    return f"def {task}(" in cell.source


def grade(
    name,
    given=None,
    *,
    kind="source",
    student="ada",
    only=None,
    without=(),
    seed=None,
    around=None,
):
    """Return points and errors of a notebook, with some answers replaced.

    A function answers a task that asks for one; for any other task it is called with the names of
    the notebook and returns the answer. `only` leaves the other tasks out, and `without` these.
    `seed` is what the judge gives to the hidden tests. `around` is a decorator of every function
    that answers a task.
    """
    namespace, scored, errors = {} if seed is None else {"SEED": seed}, Counter(), {}
    for cell in code_cells(name, kind):
        marks = marks_of(cell)
        check = marks.get("grade_id", cell.id).replace("-check", "").removesuffix("-example")
        task = check.partition("-")[0]
        if task in without:
            continue
        if only is not None and task != only and not marks.get("locked") and "grade_id" in marks:
            continue
        if only is not None and (cell.id.endswith("-example") or marks.get("grade")):
            if task != only or (task in TRAINED and not marks.get("grade")):
                continue  # its example trains once more, and no check reads what it made
        try:
            text = cell.source.replace('STUDENT_ID = ""', f"STUDENT_ID = {student!r}")
            exec(compiled(text), namespace)
        except Exception as error:
            errors[cell.id] = error
        if marks.get("solution") and task in (given or {}):
            answer = given[task]
            namespace[task] = answer if is_function(name, task) else answer(namespace)
        if around and marks.get("solution") and is_function(name, task):
            namespace[task] = around(namespace[task])
        if marks.get("grade"):
            scored[check] = 0.0 if cell.id in errors else float(marks.points)
    return scored, errors
