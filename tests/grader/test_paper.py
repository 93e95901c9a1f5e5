"""Answers on paper are the student's own, and a notebook counts by the letters of its version."""

import json

import pytest

from exercises.grader.intake import assignment, drawn
from exercises.grader.mark import judge
from exercises.grader.mark.attempt import UNNAMED, Case
from exercises.grader.mark.judge import RIGHT_FOR_NOBODY, UNLIKE
from exercises.grader.mark.results import Status
from exercises.grader.sandboxed.limits import Limits
from tests.exercises.assignments import WITH_PAPER, helpers
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
            assert (task.points, task.status) == (0, Status.NOT_JUDGED)
            assert "gets no value in this cell" in task.reason and task.hint == ""
            assert any(f"the form of {tasks[task.name].cell} (" in flag for flag in result.flags)
        else:
            assert task.points == task.possible


@pytest.mark.parametrize("name", WITH_PAPER)
def test_a_quarter_of_the_points_is_personal(name):
    tasks = task_set(name).tasks
    assert sum(task.points for task in tasks if task.is_drawn) >= sum(t.points for t in tasks) / 4


LITERALS = [
    "[1 / 2, 2 / 7]",
    "[0.5, -2 ** -1 + 3 % 2]",
    "(1, 'b')",
    "{'guess': 'b', 'because': 'd'}",
]


def read(*cells, name="a"):
    return helpers()["Paper"].on_paper(name, cells)


@pytest.mark.parametrize("text", LITERALS)
def test_numbers_fractions_letters_and_their_arithmetic_are_read(text):
    ran = f"get_ipython().run_cell_magic('time', '', {f'a = {text}'!r})\n"  # as JupyterLab keeps it
    for cells in ([f"a = {text}"], ["a = 3", f"%%time\n\na = b = {text}", "print(a)"], [ran]):
        assert read(*cells) == eval(text)


REFUSED = {
    "a text too long": ("a = 'a' * 10 ** 9", "too large or no arithmetic"),
    "a list too long": ("a = [0] * 10 ** 9", "too large or no arithmetic"),
    "a list that doubles": ("a = [1]\nfor n in range(99):\n    a += a", "up to 500 values"),
    "lists in lists": ("a = [1]\n" + "a = [a, a]\n" * 30, "up to 500 values"),
    "a range too long": ("a = sum(range(10 ** 9))", "too large"),
    "too many steps": ("a = [x + y for x in range(99) for y in range(99)]", "5,000 steps"),
    "a number too large": ("a = [9 ** 9 ** 9]", "too large or no arithmetic"),
    "a power by another name": ("a = [pow(9, 9 ** 9)]", "too large or no arithmetic"),
    "a number of many digits": (f"a = [{'9' * 5000}]", "Python cannot read its cell: Exceeds"),
    "a factorial": ("import math\na = [math.factorial(10 ** 9)]", "cannot be computed"),
    "a width": ("a = [f'{1:999999999}']", "a form of a number that is not read"),
    "a division by zero": ("a = [1 / 0]", "cannot be computed: division by zero"),
    "a class": ("a = [().__class__]", "none of the functions"),
    "a format": ("a = ['{0.__class__}'.format(1)]", "none of the functions"),
    "a module of numpy": ("a = np.load('x')", "none of the functions"),
    "an import of another": ("from os import log\na = [log(1)]", "none of the functions"),
    "a loop that is left": ("for n in [1, 2]:\n    a = n\n    break", "would have to run"),
    "a loop without an end": ("while True:\n    a = [1]", "would have to run"),
    "an assignment that is undone": ("a = [1]\ndel a", "would have to run"),
    "too deep": ("a = [" + "-" * 9000 + "1]", "nested too deeply"),
    "too long": ("a = [1]" + " " * 100_000, "more than 100,000 letters"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_refused_in_a_sentence(kind):
    text, said = REFUSED[kind]
    with pytest.raises(AssertionError, match=r"^a: ") as refusal:
        read(text)
    assert refusal.value.is_form and said in str(refusal.value)


def test_the_cell_that_binds_the_name_last_counts_and_no_cell_that_changes_a_part():
    assert read("a = [1]", "a = [2]", "a[0] = 3", "a.append(4)", "def f():\n    a = [5]") == [2]
    assert read("b = [1]") is None
    assert read("a = [x := 1, x]") == [1, 1]
    assert read("a = [1]\nprint(a.foo)\nplt.show()\na[0] += 1") == [2]


@pytest.mark.parametrize("body", ["np.zeros(2)", "odds[0]", "f(1)", "x"])
def test_a_change_that_is_not_read_makes_the_answer_unknown(body):
    for text in (f"a = [1]\na.append({body})", f"a = [1]\na[0] = {body}", f"a = 1\na += {body}"):
        with pytest.raises(AssertionError, match=r"^a: "):
            read(text)


def test_the_check_refuses_where_the_notebook_runs(capsys):
    space = helpers()
    check = 'checked("hand", hand, hand, 0.1)'
    space["hand"] = [1]
    space["In"] = ["odds = [1]", "hand = [odds[0]]", check]
    with pytest.raises(AssertionError, match="`odds` gets no value in this cell"):
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


@pytest.mark.parametrize(("text", "points"), [("total = 3", 1), ("total = sum(given)", 0)])
def test_a_bank_that_was_copied_earlier_keeps_its_own_reader(tmp_path, fork_server, text, points):
    """The reader of then compared what ran with the last cell's text, by the name `literal`."""
    helpers = """given = [1, 2]

def literal(task, answer, cells):
    assert cells[-1] == f"{task} = {answer}", "write the number"
    return answer
"""
    check = "### BEGIN HIDDEN TESTS\nassert total == 3\n### END HIDDEN TESTS\n"
    made = course.notebook(
        [
            course.code('STUDENT_ID = ""'),
            course.code(helpers, grade_id="helpers", locked=True),
            course.code(text, grade_id="total", solution=True),
            course.code(check, grade_id="total-check", grade=True, points=1),
        ]
    )
    made["cells"][2]["metadata"]["tags"] = ["by-hand"]
    course.write(tmp_path, "sums", made).rename(tmp_path / "sums/sums.ipynb")
    bank = assignment.load(tmp_path / "sums")
    case = Case("ann", json.dumps(made).encode(), seed=1)
    assert judge.grade(bank, fork_server, Limits(), case).points == points


def test_what_runs_decides_nothing_and_a_difference_is_a_flag(graded_alone):
    made = written(NAME, "ann")
    place = next(n for n, cell in enumerate(made["cells"]) if "hand_weights = " in cell["source"])
    made["cells"].insert(place + 1, course.code("hand_weights[0] = 7\nslip = slip_letters"))
    result = judged(graded_alone, NAME, made)
    assert result.points == result.possible
    assert result.flags == (UNLIKE.format("hand_weights"),)


def test_code_that_stops_at_a_missing_name_chooses_no_other_text(graded_alone):
    """Cells below count only if none above answers, whatever names are missing above."""
    made = written(NAME, "ann")
    at = next(n for n, cell in enumerate(made["cells"]) if "slip = {" in cell["source"])
    right = made["cells"][at]["source"]
    made["cells"][at]["source"] = 'slip = {"where": "z", "test": "z"}\ndel slip'
    made["cells"].append(course.code(right))
    tasks = {task.name: task for task in judged(graded_alone, NAME, made).tasks}
    assert (tasks["slip"].points, tasks["slip"].status) == (0, Status.NOT_JUDGED)
