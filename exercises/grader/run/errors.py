"""Define the errors that the judge raises, and describe those of the student's code."""

import builtins
from typing import Any, NamedTuple

from exercises.grader.mark.quoting import quote
from exercises.grader.run.channel import NO_ANSWER, Broken
from exercises.grader.run.newer import running
from exercises.grader.run.selection import Code
from exercises.grader.sandboxed import limits

# Only these are raised again: StopIteration, for one, would end a loop of the test early.
RAISED = (
    "ValueError TypeError IndexError KeyError LookupError AttributeError NameError ArithmeticError "
    "ZeroDivisionError OverflowError FloatingPointError NotImplementedError RuntimeError "
    "RecursionError AssertionError MemoryError ImportError ModuleNotFoundError"
).split()

SYNTAX = "SyntaxError: "  # how the text of such an error begins


class Stopped(BaseException):
    """The sandbox broke; no `except Exception` in a test may swallow this."""


class Trouble(BaseException):
    """The judge's own machinery failed, which is not the fault of the submission."""


class Postponed(BaseException):
    """The time ran out on the clock but not on the processor, so the submission is judged later."""


class CellError(NamedTuple):
    """This is the error of a cell."""

    cell: Code
    text: str
    unwritten: bool = False

    def __str__(self) -> str:
        # Colab, say, may run another Python than the judge.
        where = f" (grading runs Python {running()})" if self.text.startswith(SYNTAX) else ""
        return f"{self.cell.label}: {quote(self.text)}{where}"


def message(error: BaseException) -> str:
    """Return the kind of an error and its message."""
    kind = getattr(error, "kind", type(error).__name__)
    return f"{kind}: {error.args[0] if error.args else ''}"


def exception_of(data: Any) -> Exception:
    """Return an exception to raise for the student's; only harmless kinds keep their type."""
    if not isinstance(data, dict) or not isinstance(data.get("kinds"), list):
        raise Broken(NO_ANSWER)
    kinds = [kind for kind in data["kinds"][:20] if isinstance(kind, str)]
    text, place, line = (data.get(key) for key in ("text", "place", "line"))
    if not isinstance(text, str) or type(place) is not int or type(line) is not int:
        raise Broken(NO_ANSWER)
    known = next((kind for kind in kinds if kind in RAISED), "RuntimeError")
    error: Exception = getattr(builtins, known)(clean(text, limits.MESSAGE_LETTERS))
    error.kind = clean(kinds[0] if kinds else known, 60)  # type: ignore[attr-defined]
    error.place = (place, line)  # type: ignore[attr-defined]
    return error


def clean(text: str, most: int) -> str:
    """Return a text of the student that is short enough and safe to write to a file."""
    return text[:most].encode("utf-8", "replace").decode("utf-8")
