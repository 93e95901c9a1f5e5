"""Say in words why a test failed, without a line of it."""

import traceback
from types import ModuleType
from typing import NamedTuple

from exercises.grader.assignment import Task
from exercises.grader.errors import told
from exercises.grader.results import Status
from exercises.grader.sandboxed import limits
from exercises.grader.session import Session
from exercises.grader.wording import constant_parts

TEST_FAILED = (
    "The test of this task failed by itself, which is no fault of yours. Your instructor sees what "
    "to mend, and then it is judged."
)


class Outcome(NamedTuple):
    """How the test of a task ended."""

    status: Status
    reason: str = ""
    instructor: str = ""  # how the test itself may have failed


def explain(error: Exception, task: Task, session: Session) -> Outcome:
    """Say what failed without a line of the test; of a hidden one only what its author says."""
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == task.test.co_filename
    ]
    # Code that heard another task's hidden numbers could say them here.
    hidden = session.stale or (bool(lines) and lines[0] in task.hidden)
    where = "a hidden check" if hidden else "the check"
    place = getattr(error, "place", None)
    if place is not None:
        return _of_student(error, place, hidden, task, session)
    if isinstance(error, AssertionError):
        # The author's message may quote a result, so it is as long as the student likes.
        text = constant_parts(error, task.files) if hidden else str(error)[:600]
        text = text or "a result is wrong"
        return Outcome(Status.WRONG, f"in a hidden check: {text}" if hidden else text)
    said = _by_itself(error, task)
    if _is_of_test(error):
        return broken_test(said)
    text = type(error).__name__ if hidden else told(error)[:300]
    return Outcome(Status.WRONG, f"{where} could not use the result ({text})", said)


def broken_test(said: str) -> Outcome:
    """Return that nobody can be judged by a test that fails by itself."""
    return Outcome(Status.NOT_JUDGED, TEST_FAILED, said)


def _is_of_test(error: Exception) -> bool:
    """Say whether no result of a student can cause this error: the test names what is not there."""
    of_module = isinstance(error, AttributeError) and isinstance(error.obj, ModuleType)
    return of_module or isinstance(error, NameError | ImportError)


def _by_itself(error: Exception, task: Task) -> str:
    """Return where in the instructor's cells an error came up."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename in task.files]
    place = f" in line {own[-1].lineno} of {own[-1].filename.strip('<>')}" if own else ""
    return f"the test of {task.title!r} ({task.name}) fails by itself{place}: {told(error)[:300]}"


def _of_student(
    error: Exception, place: tuple[int, int], hidden: bool, task: Task, session: Session
) -> Outcome:
    number, line = place
    cell = session.cells[number] if 0 <= number < len(session.cells) else None
    known = cell is not None and 0 < line <= cell.text.count("\n") + 1
    at = f" in line {line} of {cell.label}" if cell is not None and known else ""
    if hidden:
        # Whatever else the code says could carry the hidden numbers out.
        return Outcome(Status.WRONG, f"in a hidden check, your code raised {_kind(error)}{at}")
    if isinstance(error, NameError) and not at:
        return _missing(error, task, session)
    if (kind := str(getattr(error, "kind", _kind(error)))) == "NotImplementedError":
        return Outcome(Status.UNWRITTEN, str(error)[:300])
    return Outcome(Status.WRONG, f"your code raised {kind}{at}: {str(error)[:600]}")


def _kind(error: Exception) -> str:
    return type(error).__name__


def _missing(error: Exception, task: Task, session: Session) -> Outcome:
    for failed in session.errors.values():
        if failed.unwritten and failed.cell.task == task.cell:
            return Outcome(Status.UNWRITTEN, failed.text.partition(": ")[2])
    return Outcome(Status.WRONG, with_cells(str(error), task, session))


def with_cells(reason: str, task: Task, session: Session) -> str:
    """Return a reason with the errors of the task's own cells behind it."""
    own = [str(error) for error in session.errors.values() if error.cell.task == task.cell]
    # A thousand cells may fail, and all be named so.
    return "; ".join([reason, *own])[: limits.MESSAGE_LETTERS]
