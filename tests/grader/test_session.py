"""A conversation with one submission: arguments, functions, errors, restarts."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from exercises.grader.mark.attempt import proxy
from exercises.grader.mark.quoting import quote
from exercises.grader.mark.results import Status
from exercises.grader.run import starved
from exercises.grader.run.clock import OutOfTime, alarm
from exercises.grader.run.errors import Postponed, Stopped
from exercises.grader.run.selection import Code, Role
from exercises.grader.run.session import Session
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course

pytestmark = course.SANDBOXED
CODE = """
from typing import NamedTuple

import numpy as np


class Steps(NamedTuple):
    scores: object
    output: object


class Own(KeyError):
    pass


def add(a, b=1):
    return a + b


def steps(x):
    return Steps(x, {"twice": 2 * x})


def greedy(next_scores, start, length):
    ids = [start]
    while len(ids) < length:
        ids.append(int(np.argmax(next_scores(ids))))
    return ids


def spoil(array, items):
    array[0] = 7
    items.append(8)


def shuffle(rng):
    return int(rng.integers(10))


def both(f, g):
    return [f(), g()]


def fail():
    raise Own("no such key")


def stop():
    raise StopIteration


def forever(f):
    while True:
        f()


state = [1, 2]
"""


@pytest.fixture
def session(fork_server):
    limits = Limits(call=3.0, task=5.0, total=60.0)
    made = Session(fork_server, limits, (Code("code cell 1", CODE),))
    yield made
    made.close()


def test_arguments_and_results(session):
    assert proxy(session, "add")(1) == 2
    assert proxy(session, "add")(1, b=5) == 6
    found = proxy(session, "steps")(np.arange(3.0))
    assert np.array_equal(found.output["twice"], [0, 2, 4])
    assert session.get("state") == [1, 2]


def test_a_function_of_the_test_can_be_an_argument(session):
    seen = []

    def next_scores(ids):
        seen.append(list(ids))
        return np.eye(4)[(ids[-1] + 1) % 4]

    assert proxy(session, "greedy")(next_scores, 2, 4) == [2, 3, 0, 1]
    assert seen == [[2], [2, 3], [2, 3, 0]]


def test_a_function_that_is_called_for_ever(session):
    with pytest.raises(Stopped, match=r"too often|longer than"):
        proxy(session, "forever")(lambda: 1)


def test_a_function_of_the_test_cannot_call_back(session):
    add = proxy(session, "add")
    with pytest.raises(ValueError, match="cannot call the student's code"):
        proxy(session, "greedy")(lambda ids: add(1, 2), 2, 4)


def test_changed_arguments_change(session):
    array, items = np.zeros(2), [1]
    proxy(session, "spoil")(array, items)
    assert (array.tolist(), items, session.changed) == ([7, 0], [1, 8], {"spoil"})
    session.keep_arguments = True
    array, items = np.zeros(2), [1]
    proxy(session, "spoil")(array, items)
    assert (array.tolist(), items) == ([0, 0], [1])


def test_a_generator_that_gave_half_a_number_is_an_argument(session):
    wanted = np.random.default_rng(5).integers(10)
    assert proxy(session, "shuffle")(np.random.default_rng(5)) == wanted


def test_two_functions_are_arguments_that_nobody_changed(session):
    assert proxy(session, "both")(lambda: 1, lambda: 2) == [1, 2]
    assert not session.changed


def test_errors_keep_a_harmless_kind(session):
    with pytest.raises(KeyError, match="no such key") as caught:
        proxy(session, "fail")()
    assert (caught.value.kind, caught.value.place) == ("Own", (0, 45))
    with pytest.raises(RuntimeError):
        proxy(session, "stop")()
    with pytest.raises(NameError, match="missing is not defined"):
        proxy(session, "missing")()


def test_an_alarm_in_the_midst_of_an_end_comes_after_it(fork_server):
    session = Session(fork_server, Limits(), (Code("one", "a = 1"),))
    assert session.get("a") == 1
    channel = session.talk.sandbox.channel
    first, rings = channel.close, []

    def close():
        signal.raise_signal(signal.SIGALRM)
        rings.append(None)
        first()

    channel.close = close
    with pytest.raises(OutOfTime), alarm(60):
        session.close()
    assert len(rings) == 1, "the alarm came too early"
    session.close()  # there is nothing left to end
    assert session.get("a") == 1
    session.close()


def test_errors_of_cells_are_noted_until_a_function_is_called(fork_server):
    # The name is missing in the second sandbox only, as if a number had leaked into it.
    code = "def f(x):\n    return x\nif late:\n    raise ValueError('LEAK')"
    cells = [Code("helper", "late = False", Role.HELPER), Code("one", code)]
    session = Session(fork_server, Limits(), tuple(cells))
    proxy(session, "f")(1)
    assert not session.errors
    session.close()
    session.cells = (cells[0]._replace(text="late = True"), cells[1])
    proxy(session, "f")(1)
    assert not session.errors
    session.close()


def test_an_error_before_the_first_call_is_noted(fork_server):
    session = Session(fork_server, Limits(), (Code("one", "1 / 0"), Code("two", "b = 2")))
    assert session.get("b") == 2
    assert [str(error) for error in session.errors.values()] == [
        f"one: {quote('ZeroDivisionError: division by zero')}"
    ]
    session.close()


SLEEPS = "import time\ndef f(x):\n    time.sleep(9)\n"
LOOPS = "def f(x):\n    while True:\n        pass\n"


@pytest.fixture
def never_waits(monkeypatch):
    """Let no other program on the machine of this test keep code from its processor."""
    monkeypatch.setattr(starved, "waited", lambda process: 0.0)


def test_a_late_answer_of_code_that_did_not_run_is_put_off(fork_server, never_waits):
    for code, patient, kind in (
        (SLEEPS, False, Postponed),
        (SLEEPS, True, Stopped),
        (LOOPS, True, Stopped),
    ):
        session = Session(fork_server, Limits(call=0.6), (Code("one", code),), patient)
        with pytest.raises(kind):
            proxy(session, "f")(1)
        session.close()


def test_a_loop_is_to_blame_itself(fork_server):
    session = Session(fork_server, Limits(call=3.0), (Code("one", LOOPS),), patient=False)
    session.ready()
    session.overdue(used=2.9, allowed=3.0)
    assert session.ended_as == Status.TIMED_OUT
    with pytest.raises(Postponed):
        session.overdue(used=1.0, allowed=3.0)
    begun = session.talk.sandbox.spent()
    with pytest.raises((Stopped, Postponed)):
        proxy(session, "f")(1)
    assert session.processor() > begun
    session.close()


def test_code_that_waits_for_a_processor_is_not_to_blame(fork_server, monkeypatch, never_waits):
    session = Session(fork_server, Limits(call=3.0), (Code("one", SLEEPS),))
    session.ready()
    for waited, used in ((2.0, 2.5), (0.9, 1.0)):
        monkeypatch.setattr(starved, "waited", lambda process, waited=waited: waited)
        session.overdue(used, allowed=3.0)
        assert session.ended_as == Status.TIMED_OUT
    monkeypatch.setattr(starved, "waited", lambda process: 1.1)
    with pytest.raises(Postponed):
        session.overdue(used=1.0, allowed=3.0)
    session.close()


TOLD = "print(flush=True)\n"
BUSY = f"{TOLD}import time\nwhile time.process_time() < 0.5:\n    pass\n{TOLD}"


def test_programs_on_one_processor_wait_for_each_other_and_a_sleeper_for_nobody():
    core = min(os.sched_getaffinity(0))
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", f"import os\nos.sched_setaffinity(0, [{core}])\n{code}input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for code in (BUSY, BUSY, 2 * TOLD)
    ]
    for program in programs:
        for _ in range(2):
            program.stdout.readline()
    first, second, sleeper = (starved.waited(program.pid) for program in programs)
    for program in programs:
        program.communicate(b"\n")
    # Of two that run by turns for half a second each, one waits that long before it ends.
    assert first + second > 0.4
    assert sleeper < first + second
    assert starved.waited(programs[0].pid) == 0.0
