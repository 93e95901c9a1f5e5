"""Parts of a task carry points of their own; each is judged on its own."""

import csv
import re

import pytest

from exercises.grader.intake import assignment
from exercises.grader.intake.notebook import Cell
from exercises.grader.run import scopes, selection
from tests.grader import course
from tests.grader.solved import find

PARTS = {
    "softmax-check-small": (1, 'assert softmax(np.zeros(2))[0] == 0.5, "small scores are wrong"\n'),
    "softmax-check-large-scores": (
        2.5,
        'assert softmax(np.full(2, 1e4))[0] == 0.5, "large scores are wrong"\n'
        "### BEGIN HIDDEN TESTS\nassert softmax(np.full(4, 1e4))[0] == 0.25\n"
        "### END HIDDEN TESTS\n",
    ),
}
UNSTABLE = "def softmax(scores):\n    return np.exp(scores) / np.exp(scores).sum()\n"
ENDS = "def softmax(scores):\n    if scores[0] == 0:\n        os._exit(1)\n"
STABLE = "    weights = np.exp(scores - scores.max())\n    return weights / weights.sum()\n"


def in_parts(student, answers=()):
    """The notebook of the course with two checks of softmax in the place of one."""
    made = course.submission(student, answers)
    place = made["cells"].index(find(made, "softmax-check"))
    made["cells"][place : place + 1] = [
        course.code(text, grade_id=name, grade=True, points=points)
        for name, (points, text) in PARTS.items()
    ]
    return made


@pytest.fixture
def root(tmp_path):
    course.write(tmp_path / "source", "demo", in_parts(""))
    return tmp_path


def test_each_part_is_a_task_of_the_judge(root):
    made = assignment.load(root / "source/demo")
    names = ["double", "softmax-small", "softmax-large-scores", "answer"]
    assert [task.name for task in made.tasks] == names
    assert [task.cell for task in made.tasks] == ["double", "softmax", "softmax", "answer"]
    assert [task.points for task in made.tasks] == [2, 1, 2.5, 1]
    titles = ["The task softmax (small)", "The task softmax (large scores)"]
    assert [task.title for task in made.tasks][1:3] == titles
    assert {task.functions for task in made.tasks[1:3]} == {("softmax",)}
    assert all("Think of softmax" in task.hints[0] for task in made.tasks[1:3])


def test_the_cells_of_a_task_run_up_to_its_last_check(root):
    made = assignment.load(root / "source/demo")
    cells = [Cell("softmax", UNSTABLE), *(made.locked[name] for name in PARTS), Cell("", "x = 1")]
    chosen = selection.select(made, cells, "ann").cells
    (first, *_) = scopes.scopes(chosen, "softmax")
    assert [chosen[n].text for n in first][-1] == UNSTABLE
    assert selection.select(made, cells, "ann").notes.count("no cell is called softmax") == 0


def test_a_check_of_no_task_is_named(tmp_path):
    cells = in_parts("")
    cells["cells"][-1]["metadata"]["nbgrader"]["grade_id"] = "reply-check-one"
    course.write(tmp_path, "demo", cells)
    with pytest.raises(ValueError, match=r"'reply-check-one' must be called TASK-check or TASK-"):
        assignment.load(tmp_path / "demo")


@course.in_sandbox
def test_the_table_shows_the_points_of_each_part(root):
    ends, none = f"import os\n{ENDS}{STABLE}", course.UNWRITTEN.format("softmax")
    course.write(root / "submissions", "ann", in_parts("ann"))
    for student, text in {"bob": UNSTABLE, "cy": ends, "dee": none}.items():
        course.write(root / "submissions", student, in_parts(student, {"softmax": text}))
    course.grade(root)
    with (root / "out/scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][1:7] == [
        *("double", "softmax-small", "softmax-large-scores", "answer", "points", "possible")
    ]
    assert [row[2:4] for row in rows[1:]] == [["1", "2.5"], ["1", "0"], ["0", "2.5"], ["0", "0"]]
    assert [row[5:7] for row in rows[1:]] == [
        *(["6.5", "6.5"], ["4", "6.5"], ["5.5", "6.5"], ["3", "6.5"])
    ]
    page = course.page(root, "bob")
    sections = re.findall(r"<h2>The task softmax \((.*?)\)</h2>\n<p>(.*?)</p>", page)
    assert sections == [
        ("small", "1 of 1 points: right."),
        ("large scores", "0 of 2.5 points: wrong."),
    ]
