"""Store what the judge found out about a submission."""

import contextlib
import json
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

SPOILED = "{} does not contain what a run writes:"


class Status(StrEnum):
    """This is how the test of a task ended."""

    RIGHT = "right"
    WRONG = "wrong"
    UNWRITTEN = "not yet written"
    BROKEN = "broken"
    TIMED_OUT = "timed out"
    NOT_JUDGED = "not judged"
    ABSENT = "nothing handed in"
    BY_HAND = "set by hand"
    NOT_ASKED = "not asked in this version"


class TaskResult(NamedTuple):
    """This is the result of one task of one student."""

    name: str
    title: str
    points: float
    possible: float
    status: Status
    reason: str = ""
    hint: str = ""
    line: str = ""  # the line of the student where it failed, with its place
    given: str = ""  # the call that failed
    instructor: str = ""  # what is wrong with the test itself, for its author alone
    question: str = ""  # what the instructor has to decide
    comment: str = ""  # a person's

    @property
    def earned(self) -> float | None:
        """The points, None if they were not judged, because no gradebook may get such a zero."""
        return None if self.status in (Status.NOT_JUDGED, Status.ABSENT) else self.points


class Result(NamedTuple):
    """This is the result of a submission: its tasks, notes for the student, flags for a person."""

    student: str
    tasks: tuple[TaskResult, ...]
    problem: str = ""
    notes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    seconds: float = 0.0
    made_from: str = ""

    @property
    def not_judged(self) -> list[str]:
        """The names of the tasks that the judge could not judge."""
        return [task.name for task in self.tasks if task.status == Status.NOT_JUDGED]

    @property
    def points(self) -> float:
        """The sum over the tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def earned(self) -> float | None:
        """The sum over the tasks, None if one of them was not judged."""
        return None if any(task.earned is None for task in self.tasks) else self.points

    @property
    def is_absent(self) -> bool:
        """Whether nothing was handed in and no person gave points."""
        return all(task.status == Status.ABSENT for task in self.tasks)

    @property
    def possible(self) -> float:
        """The points of a perfect submission."""
        return sum(task.possible for task in self.tasks)


def shown(earned: float | None) -> str:
    """Return points as a page shows them."""
    return Status.NOT_JUDGED if earned is None else f"{earned:g}"


def save(result: Result, path: Path) -> None:
    """Write a result so that a reader finds either all of it or nothing."""
    data = result._asdict() | {"tasks": [task._asdict() for task in result.tasks]}
    write(path, json.dumps(data, indent=1))


def load(path: Path) -> Result | None:
    """Return the result in a file, or None if there is none or it is broken."""
    try:
        data = json.loads(path.read_text("utf-8"))
        tasks = tuple(_task(**task) for task in data.pop("tasks"))
        if not all(isinstance(task.points, int | float) for task in tasks):
            return None
        notes, flags = tuple(data.pop("notes")), tuple(data.pop("flags"))
        return Result(**data, tasks=tasks, notes=notes, flags=flags)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def stored(path: Path) -> dict[str, Any]:
    """Return the JSON object that a run left in a file.

    Raises:
        OSError: there is no such file.
        ValueError: the file does not contain a JSON object.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{SPOILED.format(path)} {error}") from error
    if not isinstance(data, dict):
        raise ValueError(f"{SPOILED.format(path)} it is a {type(data).__name__}")
    return data


def _task(status: str, **parts: Any) -> TaskResult:
    return TaskResult(status=Status(status), **parts)


def write(path: Path, text: str) -> None:
    """Write a file in one step, so that an interruption leaves the old one."""
    draft = path.with_name(path.name + ".part")
    # A lone surrogate, from a notebook's marks, say, must not stop the pages of all the others.
    with naming(path):
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    os.replace(draft, path)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the name of this file to an error, because the system does not if a disk is full."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
