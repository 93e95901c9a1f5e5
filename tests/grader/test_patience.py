"""What a session and a task decide without a sandbox: what is too slow, noted, shown, first."""

import types

import pytest

from exercises.grader.intake.notebook import Cell
from exercises.grader.mark import judge, verdict
from exercises.grader.run import sandbox
from exercises.grader.run.channel import Broken
from exercises.grader.run.errors import exception_of
from exercises.grader.run.selection import Code, Role, select
from exercises.grader.run.session import Session, Use
from exercises.grader.sandboxed.encoding import encode
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, marks

CELLS = (Code("your cell a", "a = 1", Role.OWN, "a"), Code("code cell 2", "b = 2", Role.EXAMPLE))


@pytest.fixture
def session():
    return Session(None, Limits(total=60), CELLS)


def test_cells_are_slow_if_to_run_them_for_each_task_takes_half_of_all_the_time(session):
    session.slowest = 6.0
    assert [session.is_slow(tasks) for tasks in (4, 5, 6)] == [False, True, True]


def test_a_used_sandbox_goes_on_only_where_a_new_one_takes_too_long(session):
    for slowest, use in ((1.0, Use.NONE), (40.0, Use.OTHER)):
        session.use, session.slowest = Use.OWN, slowest
        session.refresh(3)
        assert session.use is use


def test_an_error_of_an_own_cell_is_noted_and_written_code_is_not_unwritten(session):
    session._note(0, "ValueError: no")
    session._note(1, "ValueError: an example")
    assert [(place, error.unwritten) for place, error in session.errors.items()] == [(0, False)]
    assert session.patient


def test_the_kernel_ends_a_sandbox_after_its_own_time_is_over():
    assert sandbox.processor_seconds(Limits(total=60.0)) > 60


def test_the_last_call_is_shown_as_one_would_write_it():
    asked = {"function": "f", "args": [encode([1, 2], [])], "named": {"k": encode("x", [])}}
    assert verdict.asked(types.SimpleNamespace(asked=asked)) == "f([1, 2], k='x')"
    assert verdict.asked(types.SimpleNamespace(asked={})) == ""


def test_answers_come_before_functions_and_the_last_of_all_first(tmp_path):
    demo = marks.demo(tmp_path)
    tasks = {task.name: task for task in demo.tasks}
    more = tasks["answer"]._replace(name="more")
    ordered = demo._replace(tasks=(tasks["double"], more, tasks["softmax"], tasks["answer"]))
    assert [task.name for task in judge._in_order(ordered)] == [
        *("answer", "more", "double", "softmax")
    ]


def test_cells_have_the_names_that_a_student_knows(tmp_path):
    cells = [Cell("", "x = 1", None), Cell("double", course.DOUBLE, None)]
    chosen = select(marks.demo(tmp_path), cells, "ann")
    assert [code.label for code in chosen.cells] == [
        *("the student id", "the helper cell helpers", "code cell 1", "your cell double")
    ]


@pytest.mark.parametrize(
    "data", [None, [], {}, {"kinds": None}, {"kinds": [], "text": 1, "place": 0, "line": 1}]
)
def test_an_error_that_is_none_breaks_the_channel(data):
    with pytest.raises(Broken):
        exception_of(data)
