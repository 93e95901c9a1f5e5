"""Grade one submission: the tests run here, the student's code in the sandbox.

Each task's test runs in names of its own: the instructor's helpers, a proxy for each function of
the student, their answers as plain data, `STUDENT_ID` and `SEED`.
"""

import contextlib
import functools
import hashlib
import io
import random
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from exercises.grader import notebook, review, selection
from exercises.grader.assignment import Assignment, Task, compiled, file_of
from exercises.grader.clock import OutOfTime, alarm
from exercises.grader.errors import Stopped, Trouble
from exercises.grader.results import Result, Status, TaskResult
from exercises.grader.sandbox import Nursery
from exercises.grader.sandboxed.limits import Limits
from exercises.grader.scopes import alone, everything, goes_on, scopes
from exercises.grader.session import Session, proxy
from exercises.grader.verdict import Outcome, explain, with_cells

CHANGED = "a function changed its arguments, and the check passed only because of that"
NOTES = 12
REVIEW_SECONDS = 2.0
LOST = (Status.BROKEN, Status.TIMED_OUT)
Test = Callable[..., Outcome]


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
        # What a verdict needs is known; whoever needs this nursery next will meet its trouble.
        with contextlib.suppress(Trouble):
            session.close()
    notes = [*_claim(chosen.claimed, case.student), *chosen.notes]
    notes += [str(error) for error in session.errors.values()]
    flags = [*_reviewed(chosen.own, assignment), *_claim(chosen.claimed, case.student)]
    flags += [f"timed out in {t.title!r}" for t in tasks if t.status == Status.TIMED_OUT]
    flags += [f"timed out in {session.cells[n].label}" for n in sorted(session.hung)]
    seconds = round(time.monotonic() - start, 3)
    short = tuple(notes[:NOTES])
    return Result(case.student, tasks, notes=short, flags=tuple(flags), seconds=seconds)


def _judge_tasks(
    assignment: Assignment, session: Session, case: Case, tell: Callable[[Result], None]
) -> tuple[TaskResult, ...]:
    done = dict(case.known)
    for task in _in_order(assignment):
        if task.functions and not session.called:
            survey(session)
        if task.name not in done:
            done[task.name] = judge_task(assignment, task, session, case)
            so_far = tuple(done[t.name] for t in assignment.tasks if t.name in done)
            tell(Result(case.student, so_far))
    return tuple(done[task.name] for task in assignment.tasks)


def _in_order(assignment: Assignment) -> list[Task]:
    """Return the tasks so that they can share sandboxes.

    Answers that are no functions come first: nothing is called, so one sandbox can go on from task
    to task. In the end it has run all cells, which is what the notebook's last task needs.
    """
    last = assignment.tasks[-1]
    return sorted(assignment.tasks, key=lambda task: (bool(task.functions), task is not last))


def survey(session: Session) -> None:
    """Run all cells once before any function is called, to note their errors and their time."""
    session.places = everything(session.cells)
    with contextlib.suppress(Stopped):
        session.ready()


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
    # One sandbox and one attempt a task: code that can tell a second attempt from the first would
    # guess twice, and what it heard in the test of another task it could use or say here.
    session.refresh(len(assignment.tasks))
    test = functools.partial(run_test, assignment, task, session, case)
    outcome = _in_scope(task, session, test, len(assignment.tasks))
    if outcome.status == Status.BROKEN and session.broken:
        outcome = _alone(task, session, test) or outcome
    if outcome.status == Status.RIGHT and session.changed:
        # A test may compute what it expects from arguments that the student changed: it must
        # also pass when the changes do not reach it.
        session.keep_arguments = True
        if test().status != Status.RIGHT:
            outcome = Outcome(Status.WRONG, CHANGED)
    points = task.points if outcome.status == Status.RIGHT else 0.0
    hint = "" if outcome.status == Status.RIGHT else task.hint
    return TaskResult(task.name, task.title, points, task.points, *outcome, hint)


def _in_scope(task: Task, session: Session, test: Test, tasks: int) -> Outcome:
    """Run the test after the cells up to the task's own check, or after more if a name is missing.

    That is no second guess: code that stops at a missing name has given no answer.
    """
    if session.is_slow(tasks):
        session.places = everything(session.cells)
        return test()
    outcome = Outcome(Status.UNWRITTEN)
    for places in scopes(session.cells, task.name):
        session.places = places
        outcome = test()
        if outcome.status == Status.UNWRITTEN:
            if not goes_on(session.cells, task.name):
                break
        elif not session.missing:
            break
    return outcome


def _alone(task: Task, session: Session, test: Test) -> Outcome | None:
    """Run the test of a broken task without cells that may have broken the sandbox.

    That is no second guess either: so far nobody knows an answer. Where a cell of the task itself
    was blamed, the last thing to try is the rest of the notebook without that cell.
    """
    fatal, places = session.fatal, session.places
    blamed = session.blamed(task.name) is not None
    outcome = Outcome(Status.BROKEN)
    for fewer in alone(session.cells, task.name)[: 2 if blamed else 1]:
        session.places = fewer
        session.close()
        session.fatal, session.broken = {}, None
        outcome = test()
        if outcome.status not in LOST:
            break
    session.fatal, session.places = fatal, places
    if blamed and outcome.status in LOST:
        session.broken = None
        outcome = test(blame=False)
    session.close()
    return None if outcome.status in LOST else outcome


def seed_of(seed: int, student: str, task: str) -> int:
    """Return the seed of one task of one student."""
    digest = hashlib.sha256(f"{seed}\n{student}\n{task}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:4], "big")


def run_test(
    assignment: Assignment, task: Task, session: Session, case: Case, blame: bool = True
) -> Outcome:
    """Execute the test once; by default not if a cell of the task broke a sandbox."""
    session.missing = False
    own_seed = seed_of(case.seed, case.student, task.name)
    random.seed(own_seed)
    np.random.seed(own_seed)
    space: dict[str, Any] = {"__name__": "__main__", "STUDENT_ID": case.student, "SEED": own_seed}
    try:
        session.ready()  # the time of the cells is not the task's
        if blame and (reason := session.blamed(task.name)):
            session.broken = reason
            return Outcome(Status.BROKEN, with_cells(reason, task, session))
        begun = session.processor()
        with alarm(session.limits.task), quiet():
            for helper in assignment.helpers:
                exec(compiled(helper.text, file_of(helper.grade_id)), space)
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
        session.missing = isinstance(error, NameError) and hasattr(error, "place")
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
