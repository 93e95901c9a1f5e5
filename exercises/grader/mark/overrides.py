"""Read the points and comments that a person set, from a table that every run reads again."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import fitting
from exercises.grader.intake import tables
from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.submissions import Submission
from exercises.grader.intake.tables import Row
from exercises.grader.mark.results import Result, Status, TaskResult, shown

COLUMNS = ("student", "task", "points", "why")


class Override(NamedTuple):
    """This is the points of one task of one student, None for a comment, and the reason."""

    student: str
    task: str
    points: float | None
    why: str


def read(path: Path, assignment: Assignment, found: Sequence[Submission]) -> list[Override]:
    """Read a table of overrides.

    Args:
        path: a CSV file with the columns student, task, points, why; without points, why is a
            comment on the task. A task that has parts may be named as a whole.
        assignment: whose tasks they are.
        found: all submissions, and the students who handed in nothing.

    Raises:
        ValueError: a line names no student, no task or points that the task cannot have.
    """
    students = [submission.student for submission in found]
    made: dict[tuple[str, str], Override] = {}
    for row in tables.read(path, COLUMNS):
        for one in _overrides(row, assignment, students):
            if (one.student, one.task) in made:
                raise ValueError(
                    f"{row.place}: {one.student!r} has two rows with points for {one.task}"
                )
            made[one.student, one.task] = one
    return list(made.values())


def _overrides(row: Row, assignment: Assignment, students: Sequence[str]) -> list[Override]:
    student, task = _student(row, students), row.get("task")
    possible = {each.name: each.points for each in assignment.tasks}
    parts = [each.name for each in assignment.tasks if task in (each.name, each.cell)]
    if not parts:
        raise ValueError(
            f"{row.place}: {task!r} is not a task; the tasks are {', '.join(possible)}"
        )
    most = sum(possible[part] for part in parts)
    try:
        points = float(row.get("points").replace(",", ".")) if row.get("points") else None
    except ValueError:
        points = math.nan
    if points is not None and not 0 <= points <= most:
        raise ValueError(
            f"{row.place}: points must be from 0 to {most:g} for {task}, got {row.get('points')!r}"
        )
    if not row.get("why"):
        raise ValueError(f"{row.place}: why must give the reason, because the student reads it")
    if points is None:
        return [Override(student, parts[0], None, row.get("why"))]  # a comment is read once
    shares = _shares(points, [possible[part] for part in parts])
    return [
        Override(student, part, share, row.get("why"))
        for part, share in zip(parts, shares, strict=True)
    ]


def _student(row: Row, students: Sequence[str]) -> str:
    """Return the id of the student of a row, which a spreadsheet may have shortened."""
    text = row.get("student")
    found = fitting(text, students)
    if len({*found}) > 1:
        said = " or ".join(map(repr, found))
        raise ValueError(f"{row.place}: {text!r} may mean {said}: write the whole id")
    if len(found) != 1:
        who = f"{len(found)} submissions have" if found else "no student in this class has"
        raise ValueError(f"{row.place}: {who} the id {text!r}")
    return found[0]


def _shares(points: float, possible: Sequence[float]) -> list[float]:
    """Return the points of each part of a task, of which the first parts get all they can have."""
    shares = []
    for most in possible:
        shares.append(min(points, most))
        points -= shares[-1]
    return shares


def apply(result: Result, chosen: Mapping[str, Override]) -> Result:
    """Return a result with the points and the comments of a person, by task."""
    tasks = [_set(task, chosen.get(task.name)) for task in result.tasks]
    if any(one.points is not None for one in chosen.values()):
        # Somebody looked at a student who handed in nothing: the rest is worth nothing then.
        tasks = [
            task._replace(status=Status.UNWRITTEN) if task.status == Status.ABSENT else task
            for task in tasks
        ]
    return result._replace(tasks=tuple(tasks))


def _set(task: TaskResult, override: Override | None) -> TaskResult:
    if override is None:
        return task
    comment = remark(task, override)
    if override.points is None:
        return task._replace(comment=comment)
    reason = f"The judge's reason was: {task.reason}" if task.reason else ""
    hint = task.hint if override.points < task.possible else ""
    made = task._replace(points=override.points, status=Status.BY_HAND, reason=reason, hint=hint)
    return made._replace(comment=comment)


def remark(task: TaskResult, override: Override) -> str:
    """Return a sentence with the points of a person and those of the judge, or the comment."""
    if override.points is None:
        return f"A comment of your instructor: {override.why}"
    judge = "nothing" if task.earned is None else shown(task.earned)
    points = f"{override.points:g} points, whereas the judge gave {judge}"
    return f"Set by hand to {points}: {override.why}."
