"""A Friday: 200 submissions of exercise 04, 40 of them hostile, and the table is right."""

import itertools

import nbformat

from tests.exercises.assignments import (
    FOLDER,
    answers,
    lost_by,
    marks_of,
    path_of,
    points,
    source_of,
    tasks,
    worth,
)
from tests.grader import course, exports
from tests.grader.hostile import HOSTILE
from tests.grader.solved import write_out

pytestmark = course.SANDBOXED
NAME = "04_attention"
ATTACKED = "softmax"
LIMITS = ["--call-seconds", "1.5", "--task-seconds", "3", "--total-seconds", "30"]


def solutions():
    """The text of each solution cell, without its marks."""
    cells = [c for c in nbformat.read(path_of(NAME), 4).cells if marks_of(c).get("solution")]
    return {
        marks_of(c).grade_id: "\n".join(line for line in c.source.split("\n") if "### " not in line)
        for c in cells
    }


def write(folder, student, texts, spelled=None, types=True):
    """Write the release with these texts in the place of its tasks; the id may be `spelled` so.

    What a text works out on paper is typed, or stays as it is.
    """
    notebook = nbformat.read(path_of(NAME, "release"), 4)
    for cell in notebook.cells:
        cell.source = cell.source.replace(
            'STUDENT_ID = ""', f"STUDENT_ID = {(spelled or student)!r}"
        )
        if marks_of(cell).get("solution") and marks_of(cell).grade_id in texts:
            cell.source = texts[marks_of(cell).grade_id]
    if types:
        write_out(notebook.cells)
    (folder / student).mkdir(parents=True)
    nbformat.write(notebook, folder / student / f"{NAME}.ipynb")


def grade(root, *words):
    """Run the command on root/in with our own bank; return what it said."""
    return course.grade(root, "--source", FOLDER / "source", *words, folder="in", name=NAME)


def wrong_answers():
    """Each typical mistake: its task, the text of a cell and the checks that it fails."""
    for mutant in answers(NAME, "mutants"):
        yield mutant.partition("__")[0], source_of(NAME, mutant), lost_by(NAME, mutant)


def students(root):
    """Each student with the texts of the notebook and the points they deserve."""
    right, full = solutions(), points(NAME)
    for i, (_, (text, _)) in zip(range(40), HOSTILE.items(), strict=False):
        text = text.replace("{root}", str(root)).replace("{repository}", str(root))
        yield (
            f"hostile{i:02}",
            right | {ATTACKED: text},
            full | dict.fromkeys(worth(NAME, ATTACKED), 0.0),
        )
    for i, (task, text, lost) in zip(range(100), itertools.cycle(wrong_answers()), strict=False):
        yield f"mistaken{i:03}", right | {task: text}, full | dict.fromkeys(lost, 0.0)
    for i, task in zip(range(40), itertools.cycle(tasks(NAME)), strict=False):
        part = {name: text for name, text in right.items() if name != task}
        yield f"unfinished{i:02}", part, full | dict.fromkeys(worth(NAME, task), 0.0)
    for i in range(20):
        yield f"right{i:02}", right, full


def test_two_hundred_submissions(tmp_path):
    deserved = {}
    for student, texts, scores in students(tmp_path):
        write(tmp_path / "in", student, texts)
        deserved[student] = scores
    assert len(deserved) == 200
    said = grade(tmp_path, "--workers", "2", *LIMITS)  # what never ends is in part unjudged
    rows = {row["student"]: row for row in exports.table(tmp_path / "out/scores.csv")}
    assert "200" in said.stdout.splitlines()[-1]
    assert rows.keys() == deserved.keys()
    wrong = {
        student: {task: float(rows[student][task]) for task in scores}
        for student, scores in deserved.items()
        if any(float(rows[student][task]) != value for task, value in scores.items())
    }
    assert set(wrong) <= spoiled(), wrong
    assert len(list((tmp_path / "out/feedback").glob("*.html"))) == 200


def spoiled():
    """The student whose code breaks its own other tasks as well."""
    names = list(HOSTILE)[:40]
    return {f"hostile{names.index(n):02}" for n in ("patched_builtins",) if n in names}
