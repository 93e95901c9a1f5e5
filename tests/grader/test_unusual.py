"""Right notebooks that are unusual: they keep what a kernel that runs from the top gives them."""

import unicodedata

import numpy as np
import pytest

from exercises.grader.mark.results import Status
from exercises.grader.sandboxed.ipython import python_of
from exercises.grader.sandboxed.nothing import Nothing
from tests.grader import course, marks
from tests.grader.solved import find, solved
from tests.grader.unusual import handed_in

SOFTMAX = course.SOFTMAX
DOUBLE = "def double(x):\n    return {}\n"
BREAKS_LATER = """import threading, os, time
threading.Thread(target=lambda: (time.sleep(0.02), os._exit(1))).start()
"""
WAITS = "import time\ntime.sleep(0.1)\n"


def plain(student):
    """Return a notebook with an example and a helper that has an accent."""
    made = course.submission(student)
    made["cells"][1]["source"] += "\nCITY = 'Zürich'\n"
    at("double", "scale = 2\nprint(scale)")(made)
    return made


def at(place, text):
    """Return a change that puts a cell before a task, or at the end."""

    def change(made):
        cells = made["cells"]
        cells.insert(cells.index(find(made, place)) if place else len(cells), course.code(text))

    return change


def instead(**texts):
    """Return a change of the solutions of some tasks."""

    def change(made):
        for name, text in texts.items():
            find(made, name)["source"] = text

    return change


def with_accents_apart(made):
    for cell in made["cells"]:
        cell["source"] = unicodedata.normalize("NFD", cell["source"])


def without_marks(made):
    for cell in made["cells"]:
        cell["metadata"] = {}


# Of what kinds.py does not draw.
UNUSUAL = {
    "a variable of an earlier check": [instead(answer="rows[0]\n" + course.ANSWER)],
    "a name from a later cell": [
        instead(double=DOUBLE.format("later(x)")),
        at("", "def later(x):\n    return 2 * x"),
    ],
    "the solution below its check": [
        instead(double=course.UNWRITTEN.format("double")),
        at("softmax", course.DOUBLE),
    ],
    "a cell that awaits": [
        instead(
            double="import asyncio\nawait asyncio.sleep(0.01)\n%matplotlib inline\n" + course.DOUBLE
        )
    ],
    "accents in two letters and no marks": [
        at("double", "assert CITY == 'Zürich'"),
        with_accents_apart,
        without_marks,
    ],
    "a cell that ends its sandbox a moment after it answered": [
        instead(double=WAITS + course.DOUBLE, softmax=WAITS + SOFTMAX),
        at("double", BREAKS_LATER),
    ],
}


POOL = "from concurrent.futures import ProcessPoolExecutor as Pool\n    with Pool(2) as pool:\n    "
POOLS = "import multiprocessing\n    with multiprocessing.Pool(2) as pool:\n    "
LAYERS = "08_09_feed_forward_and_norm"
# What a kernel takes and a judge might not: the assignment, and what is written for what.
HABITS = {
    "numpy raises where it would warn": (
        *("04_attention", "def softmax(", "np.seterr(all='raise')\n\n\ndef softmax("),
    ),
    "more digits than a double has": (LAYERS, "= X - X.mean", "= X.astype(np.longdouble) - X.mean"),
    "fewer digits than a double has": (LAYERS, "= X - X.mean", "= X.astype('float32') - X.mean"),
    "words compared as objects": (LAYERS, 'if activation == "relu"', 'if activation is "relu"'),
    "words that are no names compared as objects": (
        *("14_families", '== "encoder-decoder"', 'in ("",) or model["kind"] is "encoder-decoder"'),
    ),
    "float32 where scores are large": (
        *("04_attention", "scores - scores.max(axis=-1", "scores - np.float32(scores).max(axis=-1"),
    ),
    "a pool of processes": (
        *(LAYERS, "return bent @ W_2 + b_2"),
        POOL + "    return list(pool.map(np.add, [bent @ W_2], [b_2]))[0]",
    ),
    "another pool": (
        *(LAYERS, "return bent @ W_2 + b_2"),
        POOLS + "    return pool.starmap_async(np.add, [(bent @ W_2, b_2)]).get()[0]",
    ),
}


@pytest.mark.parametrize("habit", HABITS)
@course.in_sandbox
def test_a_habit_costs_nothing(graded_alone, habit):
    name, usual, unusual = HABITS[habit]
    made = solved(name)
    cell = next(cell for cell in made["cells"] if usual in cell["source"])
    cell["source"] = cell["source"].replace(usual, unusual)
    result = graded_alone(name, handed_in(made))
    assert [task.reason for task in result.tasks if task.points < task.possible] == []


def graded(tmp_path, fork_server, changes):
    made = plain("ann")
    for change in changes:
        change(made)
    return marks.graded(tmp_path, fork_server, plain(""), made)


@pytest.mark.parametrize("name", UNUSUAL)
@course.in_sandbox
def test_it_keeps_its_points(tmp_path, fork_server, name):
    result = graded(tmp_path, fork_server, UNUSUAL[name])
    assert [(task.points, task.reason) for task in result.tasks] == [(2, ""), (3, ""), (1, "")]


@course.in_sandbox
def test_a_cell_that_breaks_others_earns_nothing_itself(tmp_path, fork_server):
    answer = instead(double=WAITS + course.DOUBLE, softmax=BREAKS_LATER)
    result = graded(tmp_path, fork_server, [answer])
    assert [task.points for task in result.tasks] == [2, 0, 1]


@course.in_sandbox
def test_a_cell_that_is_blamed_gives_no_second_guess(tmp_path, fork_server):
    # A first answer stands in another cell; the second one only where other tasks are missing.
    second = "import os\nif 'softmax' in globals():\n    os._exit(1)\nanswer = {}"
    right = "sum(numbers_for(STUDENT_ID, 'answer'))"
    for first, last, points in ((-1, right, 1), (right, -1, 0)):
        changes = [at("answer", f"answer = {first}"), instead(answer=second.format(last))]
        assert graded(tmp_path, fork_server, changes).tasks[2].points == points


@course.in_sandbox
def test_a_missing_name_gives_no_second_guess(tmp_path, fork_server):
    guess = DOUBLE.format("2 * x if 'softmax' in globals() else 3 * x")
    result = graded(tmp_path, fork_server, [instead(double=guess)])
    assert result.tasks[0].status == Status.WRONG


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a = 5\nb = a % 2", "a = 5\nb = a % 2"),
        ("%%time\na = 5", "\na = 5"),
        ("\n%%bash\nls", ""),
        ("a = '''\n!x\n'''\n!ls", "a = '''\n!x\n'''\npass"),
        ("if a:\n    %time b = 3\n    c?", "if a:\n    b = 3\n    pass"),
        ("a = !ls *.py\nb = %pwd", "a = get_ipython()\nb = get_ipython()"),
        ("!ls \\\n  x\na = 3", "pass\n\na = 3"),
        ("a = (3\n!", "a = (3\n!"),
        ("def f(:", "def f(:"),
    ],
)
def test_what_only_a_notebook_understands(text, bare):
    assert python_of(text) == bare


def test_nothing_takes_what_a_figure_takes():
    plt = Nothing("plt")
    (line,) = plt.plot([1, 2])
    counts, edges, (bar, *bars) = plt.hist([1, 2])
    assert not line > bar and len(bars) == 1
    low, high = plt.gca().get_ylim()
    plt.rcParams["figure.figsize"] = (4, 3)
    plt.ylim(low - 1, 1.1 * high, -low, abs(high) ** 2)
    assert not high > low and "x" not in plt.rcParams
    assert f"{high:.2f}" == "0.00" and float(low) == range(3)[low] == 0
    assert len(plt.lines) == len(list(edges)) == 2
    assert np.asarray(counts).shape == (2,) and np.linspace(0, high, 5).shape == (5, 2)

    @plt.interact(x=(0, 3))
    def seen(x):
        return x

    assert seen(5) == 5
