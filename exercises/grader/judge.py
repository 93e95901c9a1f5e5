"""Grade one submission: the tests run here, the student's code in the sandbox.

Each task's test runs in names of its own: the instructor's helpers, a proxy for each function of
the student, their answers as plain data, `STUDENT_ID` and `SEED`.
"""

import contextlib
import hashlib
import io
import random
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from exercises.grader import notebook, review, selection
from exercises.grader.assignment import Assignment, Task, compiled
from exercises.grader.clock import OutOfTime, alarm
from exercises.grader.errors import Stopped
from exercises.grader.results import Result, Status, TaskResult
from exercises.grader.sandbox import Nursery
from exercises.grader.sandboxed.limits import Limits
from exercises.grader.session import Session, proxy
from exercises.grader.verdict import Outcome, explain, with_cells

CHANGED = "a function changed its arguments, and the check passed only because of that"
NOTES = 12
REVIEW_SECONDS = 2.0


class Case(NamedTuple):
    """A submission: whose, the notebook as it was handed in, and what is known of it already."""

    student: str
    raw: bytes
    seed: int  # of the batch
    known: Mapping[str, TaskResult] = {}
    patient: bool = True  # whether a time-out is a verdict even if the machine was busy


def grade(
    assignment: Assignment,
    nursery: Nursery,
    caps: Limits,
    case: Case,
    tell: Callable[[Result], None] = lambda so_far: None,
) -> Result:
    """Return the result of one submission; `tell` is called after each task with the result so far.

    Raises:
        Trouble: the judge's own machinery broke.
        Postponed: the machine was too busy to say whether the code is slow.
    """
    start = time.monotonic()
    try:
        cells = notebook.code_cells(case.raw)
    except notebook.Unreadable as error:
        return rest(assignment, case.student, Status.BROKEN, str(error))
    chosen = selection.select(assignment, cells, case.student)
    session = Session(nursery, caps, chosen.cells, case.patient)
    try:
        tasks = _judge_tasks(assignment, session, case, tell)
    finally:
        session.close()
    notes = [*_claim(chosen.claimed, case.student), *chosen.notes]
    notes += [str(error) for error in session.errors.values()]
    flags = [*_reviewed(chosen.own, assignment), *_claim(chosen.claimed, case.student)]
    flags += [f"timed out in {t.title!r}" for t in tasks if t.status == Status.TIMED_OUT]
    seconds = round(time.monotonic() - start, 3)
    short = tuple(notes[:NOTES])
    return Result(case.student, tasks, notes=short, flags=tuple(flags), seconds=seconds)


def _judge_tasks(
    assignment: Assignment, session: Session, case: Case, tell: Callable[[Result], None]
) -> tuple[TaskResult, ...]:
    done = dict(case.known)
    # Answers that are no functions come first: they can share a sandbox, nothing was called.
    for task in sorted(assignment.tasks, key=lambda task: bool(task.functions)):
        if task.name not in done:
            done[task.name] = judge_task(assignment, task, session, case)
            so_far = tuple(done[t.name] for t in assignment.tasks if t.name in done)
            tell(Result(case.student, so_far))
    return tuple(done[task.name] for task in assignment.tasks)


def _reviewed(cells: tuple[str, ...], assignment: Assignment) -> list[str]:
    # Python's own tokenizer takes minutes for a line of a hundred thousand quotes.
    try:
        with alarm(REVIEW_SECONDS):
            return review.flags(cells, assignment.words)
    except OutOfTime:
        return ["the code is too odd to search it for libraries"]


def rest(
    assignment: Assignment,
    student: str,
    status: Status,
    problem: str,
    known: Mapping[str, TaskResult] | None = None,
) -> Result:
    """Return a result in which every task that is not known has this status and no points."""
    tasks = (
        (known or {}).get(t.name) or TaskResult(t.name, t.title, 0.0, t.points, status, problem)
        for t in assignment.tasks
    )
    return Result(student, tuple(tasks), problem=problem)


def _claim(claimed: str | None, student: str) -> list[str]:
    if claimed == student:  # to the letter: the numbers of a task depend on every one
        return []
    said = "no student id" if not claimed else f"the student id {claimed[:60]!r}"
    return [f"the first cell holds {said}, the file belongs to {student!r}"]


def judge_task(assignment: Assignment, task: Task, session: Session, case: Case) -> TaskResult:
    """Run the test of one task and say how it went."""
    session.broken, session.late, session.keep_arguments = None, False, False
    session.changed.clear()
    # One sandbox and one attempt a task: code that can tell a second attempt from the first would
    # guess twice, and what it heard in the test of another task it could use or say here.
    session.refresh(len(assignment.tasks))
    outcome = run_test(assignment, task, session, case)
    if outcome.status == Status.BROKEN and session.broken:
        outcome = _alone(assignment, task, session, case) or outcome
    if outcome.status == Status.RIGHT and session.changed:
        # A test may compute what it expects from arguments that the student changed: it must
        # also pass when the changes do not reach it.
        session.keep_arguments = True
        if run_test(assignment, task, session, case).status != Status.RIGHT:
            outcome = Outcome(Status.WRONG, CHANGED)
    points = task.points if outcome.status == Status.RIGHT else 0.0
    hint = "" if outcome.status == Status.RIGHT else task.hint
    return TaskResult(task.name, task.title, points, task.points, *outcome, hint)


def _alone(assignment: Assignment, task: Task, session: Session, case: Case) -> Outcome | None:
    """Run the test of a task without the cells of the others, which may have broken the sandbox."""
    session.alone(task.name)
    session.broken = None
    outcome = run_test(assignment, task, session, case) if session.skipped else None
    session.alone("")
    return outcome if outcome is not None and outcome.status != Status.BROKEN else None


def seed_of(seed: int, student: str, task: str) -> int:
    """Return the seed of one task of one student."""
    digest = hashlib.sha256(f"{seed}\n{student}\n{task}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:4], "big")


def run_test(assignment: Assignment, task: Task, session: Session, case: Case) -> Outcome:
    """Execute the test once."""
    own_seed = seed_of(case.seed, case.student, task.name)
    random.seed(own_seed)
    np.random.seed(own_seed)
    space: dict[str, Any] = {"__name__": "__main__", "STUDENT_ID": case.student, "SEED": own_seed}
    try:
        session.ready()  # the time of the cells is not the task's
        begun = session.processor()
        with alarm(session.limits.task), quiet():
            for helper in assignment.helpers:
                exec(compiled(helper.text, f"<helper {helper.grade_id}>"), space)
            names = {name for each in assignment.tasks for name in each.functions}
            space |= {name: proxy(session, name) for name in names}
            space |= {name: session.get(name) for name in task.answers}
            exec(task.test, space)
    except OutOfTime:
        session.overdue(session.processor() - begun, session.limits.task)
        session.close()
        return Outcome(Status.TIMED_OUT, f"the task took longer than {session.limits.task:g} s")
    except Stopped as stop:
        return _ended(session, with_cells(str(stop), task, session))
    except Exception as error:
        if session.fault is None:
            return explain(error, task, session)
    # A test that swallowed the end of the sandbox has seen no answer.
    if session.fault is not None:
        raise session.fault
    return _ended(session, session.broken) if session.broken else Outcome(Status.RIGHT)


def _ended(session: Session, reason: str) -> Outcome:
    return Outcome(Status.TIMED_OUT if session.late else Status.BROKEN, reason)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let a test print and warn into nothing."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
