"""Judge one task of one submission: its test runs here, the student's code in the sandbox.

Each test runs in names of its own: the instructor's helpers, a proxy for each function of the
student, their answers as plain data, `STUDENT_ID` and `SEED`.
"""

import contextlib
import functools
import hashlib
import io
import random
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from exercises.grader.intake.assignment import Assignment, Task, compiled, file_of
from exercises.grader.mark import carried, paper, reference
from exercises.grader.mark.results import Status, TaskResult
from exercises.grader.mark.verdict import Outcome, broken_test, explain, with_cells
from exercises.grader.run import selection
from exercises.grader.run.clock import OutOfTime, alarm
from exercises.grader.run.errors import Stopped
from exercises.grader.run.scopes import alone, goes_on, own_cells, scopes
from exercises.grader.run.selection import Code
from exercises.grader.run.session import Session

CHANGED = "a function changed its arguments, and the check passed only because it did"
DISPUTED = "The numbers of this task depend on your id, and "
UNNAMED = (
    "This answer is right for the numbers that a notebook without an id shows. If you answered "
    "before you typed your id, tell your instructor: your numbers changed with the id."
)
LOST = (Status.BROKEN, Status.TIMED_OUT)
Test = Callable[..., Outcome]


class Case(NamedTuple):
    """This is a submission: its student, its notebook, and the results that are known already.

    `drawn_for` is the id that the numbers are drawn from, letter for letter;
    `dispute` describes how the first cell and the file disagree.
    """

    student: str
    raw: bytes
    seed: int  # of the batch
    known: Mapping[str, TaskResult] = {}
    patient: bool = True  # whether a time-out is a verdict even if the machine was busy
    drawn_for: str = ""
    dispute: str = ""
    is_unnamed: bool = False  # whether the numbers are those of whoever has typed no id
    versions: frozenset[int] = frozenset()  # earlier ones by whose rules it may be judged
    may_compute: bool = False  # answers on paper, in the instructor's own solutions

    @property
    def student_id(self) -> str:
        """The value of STUDENT_ID in a test."""
        return "" if self.is_unnamed else self.drawn_for or self.student


def judge_task(assignment: Assignment, task: Task, session: Session, case: Case) -> TaskResult:
    """Run the test of one task and return its result."""
    # One sandbox and one attempt per task: code that can tell a second attempt from the first would
    # guess twice, and what it heard in the test of another task it could use or say here.
    session.refresh(len(assignment.tasks))
    test = functools.partial(run_test, assignment, task, session, case)
    outcome = _in_scope(task, session, test, len(assignment.tasks))
    if outcome.status == Status.BROKEN and session.broken:
        outcome = _alone(task, session, test) or outcome
    if outcome.status == Status.WRONG and outcome.instructor:
        is_broken = _fails_the_solution(assignment, task, session, case)
        said = outcome.instructor
        outcome = broken_test(said) if is_broken else outcome._replace(instructor="")
    if outcome.status == Status.RIGHT and not _ignores_changes(session, test):
        outcome = Outcome(Status.WRONG, CHANGED)
    if outcome.status == Status.WRONG and task.carries:
        outcome = _carried(assignment, task, session, case, outcome)
    if outcome.status == Status.WRONG and task.is_drawn and task.is_on_paper:
        # No second guess: such an answer is read, and no code is asked.
        nobody = case._replace(is_unnamed=True)
        if run_test(assignment, task, session, nobody).status == Status.RIGHT:
            outcome = outcome._replace(reason=f"{outcome.reason}\n{UNNAMED}")
    if case.dispute and task.is_drawn and outcome.status != Status.RIGHT:
        outcome = outcome._replace(reason=f"{outcome.reason}\n{DISPUTED}{case.dispute}.".lstrip())
    points = task.points if outcome.status == Status.RIGHT else 0.0
    # No hint of this task is of use where the mistake lies elsewhere.
    is_silent = outcome.status in (Status.RIGHT, Status.NOT_JUDGED)
    is_silent = is_silent or carried.BLAMED in outcome.reason
    return TaskResult(
        task.name,
        task.title,
        points,
        task.points,
        outcome.status,
        reason=outcome.reason,
        hint="" if is_silent else _hint(task, outcome.reason),
        line=outcome.line,
        given=outcome.given,
        instructor=outcome.instructor,
        question=outcome.question,
    )


def _hint(task: Task, reason: str) -> str:
    """Return the hint that a message names, else the first."""
    named = re.search(r"\bhint (\d)\b", reason)
    number = int(named[1]) if named else 1
    return next(iter(task.hints[number - 1 :] or task.hints), "")


def _fails_the_solution(assignment: Assignment, task: Task, session: Session, case: Case) -> bool:
    """Say whether the instructor's own solution fails the test too, for the same numbers."""
    cells = reference.solved(assignment, case.student_id)
    chosen = selection.select(assignment, cells, case.student_id)
    fresh = case._replace(may_compute=True)
    with _beside(session, chosen.cells) as own:
        test = functools.partial(run_test, assignment, task, own, fresh)
        return _in_scope(task, own, test, len(assignment.tasks)).status != Status.RIGHT


def _carried(
    assignment: Assignment, task: Task, session: Session, case: Case, outcome: Outcome
) -> Outcome:
    """Return the outcome without the mistakes of other tasks that the check may carry.

    Of the run with the instructor's solutions only its end counts: the code sees these solutions,
    so nothing that it says may reach a page.
    """
    tasks, found = len(assignment.tasks), carried.faults(assignment, task, case.known)
    if not found.cells or session.is_slow(tasks):
        return outcome
    cells = carried.with_solutions(assignment, session.cells, found.cells)
    with _beside(session, cells) as own:
        test = functools.partial(run_test, assignment, task, own, case)
        again = _in_scope(task, own, test, tasks)
        if again.status != Status.RIGHT or not _ignores_changes(own, test):
            return outcome
    if found.is_free:
        return Outcome(Status.RIGHT, found.said)
    return outcome._replace(reason=f"{outcome.reason}\n{found.said}")


def _ignores_changes(session: Session, test: Test) -> bool:
    """Say whether a test that has passed does so if no function changes its arguments.

    It may compute what it expects from arguments that the student changed.
    """
    if not session.changed:
        return True
    session.keep_arguments = True
    return test().status == Status.RIGHT


@contextlib.contextmanager
def _beside(session: Session, cells: tuple[Code, ...]) -> Iterator[Session]:
    """Give other cells a session within the time of this one."""
    session.close()  # a fork server holds one sandbox
    own = Session(session.fork_server, session.limits, cells, session.patient)
    own.end = session.end
    try:
        yield own
    finally:
        own.close()
        session.spent += own.spent


def _in_scope(task: Task, session: Session, test: Test, tasks: int) -> Outcome:
    """Run the test after the cells up to the task's own check, or after more if a name is missing.

    That is no second guess: code that stops at a missing name has given no answer.
    """
    outcome, found = Outcome(Status.UNWRITTEN), scopes(session.cells, task.cell)
    if session.is_slow(tasks):
        found = [own_cells(session.cells), found[-1]]
    for places in found:
        session.places = places
        outcome = test()
        if outcome.status == Status.UNWRITTEN:
            if not goes_on(session.cells, task.cell):
                break
        elif not outcome.lacks_name:
            break
    return outcome


def _alone(task: Task, session: Session, test: Test) -> Outcome | None:
    """Run the test of a broken task without cells that may have broken the sandbox.

    That is no second guess either: so far nobody knows an answer. Where a cell of the task itself
    was blamed, the last thing to try is the rest of the notebook without that cell.
    """
    fatal, places = session.fatal, session.places
    blamed = session.blamed(task.cell) is not None
    outcome = Outcome(Status.BROKEN)
    for fewer in alone(session.cells, task.cell)[: 2 if blamed else 1]:
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
    """Run the test once, by default only if no cell of the task broke a sandbox."""
    own_seed = seed_of(case.seed, case.student, task.name)
    random.seed(own_seed)
    np.random.seed(own_seed)
    space: dict[str, Any] = {
        "__name__": "__main__",
        "STUDENT_ID": case.student_id,
        "SEED": own_seed,
    }
    try:
        session.ready()  # the time of the cells is not the task's
        if blame and (reason := session.blamed(task.cell)):
            session.broken = reason
            return Outcome(Status.BROKEN, with_cells(reason, task, session))
        begun = session.processor()
        with alarm(session.limits.task), quiet():
            for helper in assignment.helpers:
                exec(compiled(helper.text, file_of(helper.grade_id)), space)
            names = {name for each in assignment.tasks for name in each.functions}
            space |= {name: proxy(session, name) for name in names}
            if task.is_on_paper and not case.may_compute:
                space |= paper.answers(task, session, space)
            else:
                space |= {name: session.get(name) for name in task.answers}
            exec(task.test, space)
    except OutOfTime:
        session.overdue(session.processor() - begun, session.limits.task)
        session.close()
        return Outcome(Status.TIMED_OUT, f"the task took longer than {session.limits.task:g} s")
    except Stopped as stop:
        return Outcome(session.ended_as, with_cells(str(stop), task, session))
    except Exception as error:
        if session.fault is None:
            return explain(error, task, session)
    # A test that swallowed the end of the sandbox has seen no answer.
    if session.fault is not None:
        raise session.fault
    return Outcome(session.ended_as, session.broken) if session.broken else Outcome(Status.RIGHT)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress what a test prints and its warnings."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def proxy(session: Session, name: str) -> Callable[..., Any]:
    """Return a function that calls the student's function of that name."""

    def call(*args: Any, **named: Any) -> Any:
        return session.call(name, args, named)

    call.__name__ = call.__qualname__ = name
    return call
