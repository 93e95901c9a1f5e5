"""Say in words why a test failed, without a line of it."""

import traceback
from typing import NamedTuple

from exercises.grader import limits
from exercises.grader.assignment import Task
from exercises.grader.errors import told
from exercises.grader.results import UNWRITTEN, WRONG
from exercises.grader.session import Session


class Outcome(NamedTuple):
    """How the test of a task ended."""

    status: str
    reason: str = ""


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
        text = str(error)[: 160 if hidden else 600] or "a result is wrong"
        return Outcome(WRONG, f"in a hidden check: {text}" if hidden else text)
    text = type(error).__name__ if hidden else told(error)[:300]
    return Outcome(WRONG, f"{where} could not use the result ({text})")


def _of_student(
    error: Exception, place: tuple[str, int], hidden: bool, task: Task, session: Session
) -> Outcome:
    lengths = {name: text.count("\n") + 1 for name, text in session.cells}
    cell, line = place
    at = f" in line {line} of {cell}" if 0 < line <= lengths.get(cell, 0) else ""
    if hidden:
        # Whatever else the code says could carry the hidden numbers out.
        return Outcome(WRONG, f"in a hidden check, your code raised {type(error).__name__}{at}")
    if isinstance(error, NameError) and not at:
        return _missing(error, task, session)
    kind = str(getattr(error, "kind", type(error).__name__))
    if kind == "NotImplementedError":
        return Outcome(UNWRITTEN, str(error)[:300])
    return Outcome(WRONG, f"your code raised {kind}{at}: {str(error)[:600]}")


def _missing(error: Exception, task: Task, session: Session) -> Outcome:
    for failed in session.errors.values():
        if failed.unwritten and f"({task.name})" in failed.cell:
            return Outcome(UNWRITTEN, failed.text.partition(": ")[2])
    return Outcome(WRONG, with_cells(str(error), task, session))


def with_cells(reason: str, task: Task, session: Session) -> str:
    """Return a reason with the errors of the task's own cells behind it."""
    own = [error for error in session.errors.values() if f"({task.name})" in error.cell]
    said = "; ".join([reason, *(f"{error.cell}: {error.text}" for error in own)])
    return said[: limits.MESSAGE_LETTERS]  # a thousand cells may fail, and all be named so
