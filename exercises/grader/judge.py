"""Grade one submission: the tests run here, the student's code in the sandbox.

Each task's test runs in names of its own: the instructor's helpers, a proxy for each function of
the student, their answers as plain data, `STUDENT_ID` and `SEED`.
"""

import contextlib
import hashlib
import io
import random
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from exercises.grader import notebook, review, selection
from exercises.grader.assignment import Assignment, Task
from exercises.grader.errors import Stopped
from exercises.grader.limits import Limits
from exercises.grader.results import BROKEN, RIGHT, WRONG, Result, TaskResult
from exercises.grader.sandbox import Nursery
from exercises.grader.session import Session, proxy
from exercises.grader.verdict import Outcome, explain, with_cells

CHANGED = "a function changed its arguments, and the check passed only because of that"
NOTES = 12
REVIEW_SECONDS = 2.0


class OutOfTime(BaseException):
    """The test of one task takes too long, whoever is to blame."""


def grade(
    assignment: Assignment,
    nursery: Nursery,
    caps: Limits,
    student: str,
    seed: int,
    raw: bytes,
    tell: Callable[[Result], None] = lambda so_far: None,
) -> Result:
    """Return the result of one submission, given the bytes of its notebook.

    Args:
        assignment: the instructor's.
        nursery: where its sandboxes are born.
        caps: the limits in seconds.
        student: whose submission it is, from the name of its file or folder.
        seed: the seed of the batch.
        raw: the notebook as it was handed in.
        tell: called after each task with the result so far.
    """
    start = time.monotonic()
    try:
        cells = notebook.code_cells(raw)
    except notebook.Unreadable as error:
        return unread(assignment, student, str(error))
    chosen = selection.select(assignment, cells, student)
    names = tuple(task.name for task in assignment.tasks)
    session = Session(nursery, caps, chosen.cells, names)
    try:
        done: dict[str, TaskResult] = {}
        tasks: tuple[TaskResult, ...] = ()
        # Answers that are no functions come first: they can share a sandbox, nothing was called.
        for task in sorted(assignment.tasks, key=lambda task: bool(task.functions)):
            done[task.name] = judge_task(assignment, task, session, student, seed)
            tasks = tuple(done[task.name] for task in assignment.tasks if task.name in done)
            tell(Result(student, tasks))
    finally:
        session.close()
    failed = [f"{error.cell}: {error.text}" for error in session.errors.values()]
    notes = [*_claim(chosen.claimed, student), *chosen.notes, *failed]
    flags = [*_reviewed(chosen.own, assignment), *_claim(chosen.claimed, student)]
    seconds = round(time.monotonic() - start, 3)
    short = tuple(notes[:NOTES])
    return Result(student, tasks, notes=short, flags=tuple(flags), seconds=seconds)


def _reviewed(cells: tuple[str, ...], assignment: Assignment) -> list[str]:
    # Python's own tokenizer takes minutes for a line of a hundred thousand quotes.
    try:
        with alarm(REVIEW_SECONDS):
            return review.flags(cells, assignment.words)
    except OutOfTime:
        return ["the code is too odd to search it for libraries"]


def unread(assignment: Assignment, student: str, problem: str) -> Result:
    """Return the result of a submission that cannot be graded."""
    tasks = (TaskResult(t.name, t.title, 0.0, t.points, BROKEN, problem) for t in assignment.tasks)
    return Result(student, tuple(tasks), problem=problem)


def _claim(claimed: str | None, student: str) -> list[str]:
    if claimed == student:  # to the letter: the numbers of a task depend on every one
        return []
    said = "no student id" if not claimed else f"the student id {claimed[:60]!r}"
    return [f"the first cell holds {said}, the file belongs to {student!r}"]


def judge_task(
    assignment: Assignment, task: Task, session: Session, student: str, seed: int
) -> TaskResult:
    """Run the test of one task and say how it went."""
    session.broken, session.late, session.keep_arguments = None, False, False
    session.changed.clear()
    # One sandbox and one attempt a task: code that can tell a second attempt from the first would
    # guess twice, and what it heard in the test of another task it could use or say here.
    session.refresh(len(assignment.tasks))
    outcome = run_test(assignment, task, session, student, seed)
    if outcome.status == BROKEN and session.broken and not session.late:
        outcome = _alone(assignment, task, session, student, seed) or outcome
    if outcome.status == RIGHT and session.changed:
        # A test may compute what it expects from arguments that the student changed: it must
        # also pass when the changes do not reach it.
        session.keep_arguments = True
        if run_test(assignment, task, session, student, seed).status != RIGHT:
            outcome = Outcome(WRONG, CHANGED)
    points = task.points if outcome.status == RIGHT else 0.0
    hint = "" if outcome.status == RIGHT else task.hint
    return TaskResult(task.name, task.title, points, task.points, *outcome, hint)


def _alone(
    assignment: Assignment, task: Task, session: Session, student: str, seed: int
) -> Outcome | None:
    """Run the test of a task without the cells of the others, which may have broken the sandbox."""
    session.alone(task.name, [each.name for each in assignment.tasks])
    session.broken = None
    outcome = run_test(assignment, task, session, student, seed) if session.skipped else None
    session.alone(task.name, [])
    return outcome if outcome is not None and outcome.status != BROKEN else None


def seed_of(seed: int, student: str, task: str) -> int:
    """Return the seed of one task of one student."""
    digest = hashlib.sha256(f"{seed}\n{student}\n{task}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:4], "big")


def run_test(
    assignment: Assignment, task: Task, session: Session, student: str, seed: int
) -> Outcome:
    """Execute the test once."""
    own_seed = seed_of(seed, student, task.name)
    random.seed(own_seed)
    np.random.seed(own_seed)
    space: dict[str, Any] = {"__name__": "__main__", "STUDENT_ID": student, "SEED": own_seed}
    try:
        session.ready()  # the time of the cells is not the task's
        with alarm(session.limits.task), quiet():
            for helper in assignment.helpers:
                exec(compile(helper.text, f"<helper {helper.grade_id}>", "exec"), space)
            names = {name for each in assignment.tasks for name in each.functions}
            space |= {name: proxy(session, name) for name in names}
            space |= {name: session.get(name) for name in task.answers}
            exec(task.test, space)
    except OutOfTime:
        session.close()
        return Outcome(BROKEN, f"the task took longer than {session.limits.task:g} s")
    except Stopped as stop:
        return Outcome(BROKEN, with_cells(str(stop), task, session))
    except Exception as error:
        return explain(error, task, session)
    # A test that swallowed the end of the sandbox has seen no answer.
    return Outcome(BROKEN, session.broken) if session.broken else Outcome(RIGHT)


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfTime here after some seconds."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let a test print and warn into nothing."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
