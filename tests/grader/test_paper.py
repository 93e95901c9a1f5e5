"""Answers on paper are the student's own, and a notebook counts by the letters of its version."""

import json

import pytest

from exercises.grader.intake import drawn
from exercises.grader.mark.attempt import UNNAMED
from exercises.grader.mark.judge import RIGHT_FOR_NOBODY
from exercises.grader.mark.results import Status
from tests.exercises.assignments import helpers
from tests.grader import course, marks
from tests.grader.solved import NAMES, solved, task_set, write_out

pytestmark = course.SANDBOXED
NAME = "04_attention"


def written(name, student):
    """Return a solved notebook whose answers on paper stand there as a student types them."""
    made = solved(name, student)
    write_out(made["cells"])
    return made


def judged(graded_alone, name, made, **known):
    return graded_alone(name, json.dumps(made).encode(), may_compute=False, **known)


@pytest.mark.parametrize("name", NAMES)
def test_the_typed_answers_of_one_id_earn_less_under_another(graded_alone, name):
    """Under their own they earn all: test_kept.py."""
    tasks = task_set(name).tasks
    others = written(name, "bob")
    others["cells"] = [
        cell | {"source": cell["source"].replace("'bob'", "'ann'").replace('"bob"', '"ann"')}
        for cell in others["cells"]
    ]
    paper = {task.name for task in tasks if task.is_on_paper}
    known = {task.name: marks.right(task) for task in tasks if task.name not in paper}
    result = judged(graded_alone, name, others, known=known)
    found = [task for task in result.tasks if task.name in paper]
    assert sum(task.points for task in found) < sum(task.possible for task in found)


@pytest.mark.parametrize("name", [NAME, "14_families"])
def test_what_the_notebook_computes_earns_nothing_on_paper(graded_alone, name):
    result = judged(graded_alone, name, solved(name))
    tasks = {task.name: task for task in task_set(name).tasks}
    for task in result.tasks:
        if tasks[task.name].is_on_paper:
            assert (task.points, task.status) == (0, Status.WRONG)
            assert "Work out the answer yourself" in task.reason
        else:
            assert task.points == task.possible


@pytest.mark.parametrize("name", NAMES)
def test_a_quarter_of_the_points_is_personal(name):
    tasks = task_set(name).tasks
    assert sum(task.points for task in tasks if task.is_drawn) >= sum(t.points for t in tasks) / 4


LITERALS = [
    "[1 / 2, 2 / 7]",
    "[0.5, -2 ** -1 + 3 % 2]",
    "(1, 'b')",
    "{'guess': 'b', 'because': 'd'}",
]


@pytest.mark.parametrize("text", LITERALS)
def test_numbers_fractions_letters_and_their_arithmetic_are_read(text):
    read = helpers()["literal"]
    for cells in ([f"a = {text}"], ["a = 3", f"%%time\n\na = b = {text}", "print(a)", "f(a =="]):
        assert read("a", eval(text), cells) == eval(text)


REFUSED = {
    "a name": ("x = 0.5\na = [x]", [0.5], "x is none of these"),
    "a place": ("a = letters[0]", "b", r"letters\[0\] is none of these"),
    "a call": ("a = [int('1')]", [1], r"int\('1'\) is none of these"),
    "a loop": ("a = [n for n in (1, 2)]", [1, 2], "none of these"),
    "a text that is computed": ("a = 'a' * 3", "aaa", "only sums"),
    "a number too large": ("a = [9 ** 9 ** 9]", [1], "only sums"),
    "a division by zero": ("a = [1 / 0]", [1], "cannot be computed"),
    "a change below": ("a = [0.5]\na[0] = 0.7", [0.7], "do not change it in another cell"),
    "a hidden line": ("for a in [1]:\n    pass", 1, "do not change it in another cell"),
    "another way to set it": ("globals().update(a=[1])", [1], "do not change it in another cell"),
    "too deep": ("a = [" + "-" * 9000 + "1]", [1], "do not change it in another cell"),
    "too long": ("a = [1]" + " " * 10_000, [1], "do not change it in another cell"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_literal_is_refused_in_a_sentence(kind):
    text, answer, said = REFUSED[kind]
    with pytest.raises(AssertionError, match=f"^a.*{said}"):
        helpers()["literal"]("a", answer, [text])


def test_the_check_refuses_where_the_notebook_runs(capsys):
    space = helpers()
    check = 'checked("hand", hand, hand, 0.1)'
    space["hand"] = [1]
    space["In"] = ["odds = [1]", "hand = [odds[0]]", check]
    with pytest.raises(AssertionError, match="Work out the answer yourself"):
        exec(check, space)
    space["In"] += ["hand = [1]", check]
    exec(check, space)
    assert "not judged yet" in capsys.readouterr().out


def test_the_version_is_that_of_the_helpers():
    cells = [task_set(NAME).helpers[0]]
    assert drawn.version_in(cells) == drawn.version_of(cells, 5) == 5
    assert drawn.version_of([], 5) == 5


def typed_late(name):
    """Return a notebook whose answers on paper were written before its id was typed."""
    made = written(name, "")
    found = [cell for cell in made["cells"] if "STUDENT_ID = " in cell["source"]]
    found[0]["source"] = 'STUDENT_ID = "ann"'
    return made


@pytest.mark.parametrize("name", [NAME, "16_scale"])
def test_answers_for_no_id_are_recognized_flagged_and_may_be_accepted(graded_alone, name):
    made = typed_late(name)
    result = judged(graded_alone, name, made)
    lost = [task for task in result.tasks if task.points < task.possible]
    assert sum(UNNAMED in task.reason for task in lost) >= 2
    assert any(RIGHT_FOR_NOBODY in flag for flag in result.flags)
    accepted = judged(graded_alone, name, made, is_unnamed=True)
    assert accepted.points == accepted.possible


def test_a_wrong_answer_that_nobody_has_right_says_nothing_of_ids(graded_alone):
    result = judged(graded_alone, NAME, written(NAME, "bob"))
    assert not any(UNNAMED in task.reason for task in result.tasks)
    assert not any(RIGHT_FOR_NOBODY in flag for flag in result.flags)
