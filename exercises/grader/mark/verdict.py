"""Explain in words why a test failed, without a line of it."""

import traceback
from types import ModuleType
from typing import NamedTuple

import numpy as np

from exercises.grader.intake.assignment import Task
from exercises.grader.mark.quoting import quote, visible
from exercises.grader.mark.results import Status
from exercises.grader.mark.wording import constant_parts, in_parts
from exercises.grader.run.errors import RAISED, message
from exercises.grader.run.session import Session, Use
from exercises.grader.sandboxed import limits
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import ProtocolError

LINE_LETTERS, INPUT_LETTERS = 200, 400

TEST_FAILED = (
    "The test of this task is itself wrong, which is not your fault. Your instructor sees what has "
    "to be fixed; afterwards your answer is judged."
)
NOT_JUDGED_YET = "Not judged yet, because of the form of your answer: {}"


class Outcome(NamedTuple):
    """This is how the test of a task ended."""

    status: Status
    reason: str = ""
    line: str = ""
    given: str = ""
    instructor: str = ""  # how the test itself may have failed
    lacks_name: bool = False  # whether it stopped because the student's code lacks a name
    question: str = ""  # what a person has to decide


def explain(error: Exception, task: Task, session: Session) -> Outcome:
    """Explain what failed without a line of the test; of a hidden test only its author's words."""
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == task.test.co_filename
    ]
    # Code that heard another task's hidden numbers could say them here.
    stale = session.use is Use.OTHER
    hidden = stale or (bool(lines) and lines[0] in task.hidden)
    where = "a hidden check" if hidden else "the check"
    place = getattr(error, "place", None)
    may_show = not stale and (task.shows_input or not hidden)
    given = asked(session) if may_show else ""
    if place is not None:
        outcome = _of_student(error, place, hidden, task, session)
        outcome = outcome._replace(lacks_name=isinstance(error, NameError))
        return outcome._replace(given=given) if outcome.status == Status.WRONG else outcome
    if getattr(error, "is_form", False):
        return of_form(str(error), task)
    if isinstance(error, NotImplementedError):  # the dots of the release stand there
        return _unwritten(str(error), task)
    if isinstance(error, AssertionError):
        # The author's message may quote a result, so it is as long as the student likes.
        text = constant_parts(error, task.files) if hidden else in_parts(error, task.files)
        text = text or "a result is wrong"
        # A test that says in words what the student's code raised was stopped by this.
        raised = getattr(error.__cause__, "place", None)
        line = line_of(raised, session)[1] if raised else ""
        if not hidden:
            return Outcome(Status.WRONG, text, line, given if raised else "")
        return Outcome(Status.WRONG, f"in a hidden check: {text}", "", given)
    said = _by_itself(error, task)
    if _is_of_test(error):
        return broken_test(said)
    text = type(error).__name__ if hidden else quote(message(error)[:300])
    return Outcome(Status.WRONG, f"{where} could not use your result ({text})", instructor=said)


def of_form(said: str, task: Task) -> Outcome:
    """Return the outcome for an answer whose form the helpers refuse: it may well be right."""
    text = quote(said.removeprefix(f"{task.cell}: "))
    question = f"the form of {task.cell} ({text}): set its points by a row of --overrides"
    return Outcome(Status.NOT_JUDGED, NOT_JUDGED_YET.format(text), question=question)


def broken_test(said: str) -> Outcome:
    """Return the outcome of a test that fails by itself, so that it can judge no student."""
    return Outcome(Status.NOT_JUDGED, TEST_FAILED, instructor=said)


def _is_of_test(error: Exception) -> bool:
    """Say whether no result of a student can cause this error: the test names what is not there."""
    of_module = isinstance(error, AttributeError) and isinstance(error.obj, ModuleType)
    return of_module or isinstance(error, NameError | ImportError)


def _by_itself(error: Exception, task: Task) -> str:
    """Return where in the instructor's cells an error came up."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename in task.files]
    place = f" in line {own[-1].lineno} of {own[-1].filename.strip('<>')}" if own else ""
    return (
        f"the test of {task.title!r} ({task.name}) is itself wrong{place}: {message(error)[:300]}"
    )


def _of_student(
    error: Exception, place: tuple[int, int], hidden: bool, task: Task, session: Session
) -> Outcome:
    at, text = line_of(place, session)
    kind = type(error).__name__
    if hidden:
        # Whatever else the code says could carry the hidden numbers out.
        said = f"in a hidden check, your code raised {kind}{at}"
        return Outcome(Status.WRONG, said, text)
    if isinstance(error, NameError) and not at:
        return _missing(error, task, session)
    if (kind := str(getattr(error, "kind", kind))) == "NotImplementedError":
        return _unwritten(str(error), task)
    kind = kind if kind in RAISED else quote(kind)
    return Outcome(Status.WRONG, f"your code raised {kind}{at}: {quote(str(error)[:600])}", text)


def line_of(place: tuple[int, int], session: Session) -> tuple[str, str]:
    """Return in words where an error of the student occurred, and the line at this place."""
    number, line = place
    cell = session.cells[number] if 0 <= number < len(session.cells) else None
    lines = [] if cell is None else cell.text.split("\n")
    if cell is None or not 0 < line <= len(lines):
        return "", ""
    return f" in line {line} of {cell.label}", visible(lines[line - 1].strip())[:LINE_LETTERS]


def asked(session: Session) -> str:
    """Return the last call of a test as one would write it, shortened."""
    request = session.asked
    if not request:
        return ""
    try:
        args = [_shown(Decoder().decode(item)) for item in request["args"]]
        named = [f"{n}={_shown(Decoder().decode(v))}" for n, v in request["named"].items()]
    except ProtocolError:
        return ""  # a function was among the arguments
    return f"{request['function']}({', '.join(args + named)})"


def _shown(value: object) -> str:
    with np.printoptions(precision=4, threshold=40, edgeitems=2, suppress=True):
        text = repr(value)
    return text if len(text) <= INPUT_LETTERS else f"{text[:INPUT_LETTERS]} …"


def _missing(error: Exception, task: Task, session: Session) -> Outcome:
    for failed in session.errors.values():
        if failed.unwritten and failed.cell.task == task.cell:
            return _unwritten(failed.text.partition(": ")[2], task)
    return Outcome(Status.WRONG, with_cells(quote(str(error)), task, session))


def _unwritten(text: str, task: Task) -> Outcome:
    """Say that a task is not written, in the words of the release if these are the student's."""
    ours = f"{task.cell} is not yet written"
    return Outcome(Status.UNWRITTEN, ours if text == ours else quote(text[:300]))


def with_cells(reason: str, task: Task, session: Session) -> str:
    """Return a reason, followed by the errors of the task's own cells."""
    own = [str(error) for error in session.errors.values() if error.cell.task == task.cell]
    # A thousand cells may fail, and all be named so.
    return "; ".join([reason, *own])[: limits.MESSAGE_LETTERS]
