"""The score table: scores.csv for a spreadsheet, scores.json for programs."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from exercises.grader.assignment import Assignment
from exercises.grader.results import Result, Status, write
from exercises.grader.submissions import Submission, shown

# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def save(
    assignment: Assignment, graded: Sequence[Result], found: Sequence[Submission], out: Path
) -> None:
    """Write both tables, a row a student and a column a task."""
    names = [task.name for task in assignment.tasks]
    text = io.StringIO()
    # Where a list is separated by semicolons, a spreadsheet would cut a name at one, were it bare.
    table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    head = ["points", "possible", "problem", "review", "name", "file"]
    table.writerow(["student", *map(harmless, names), *head])
    for result, submission in zip(graded, found, strict=True):
        points = [number(task.earned) for task in result.tasks]
        sums = [number(result.earned), number(result.possible)]
        words = [harmless(result.problem), harmless("; ".join(result.flags))]
        words += [harmless(text) for text in _origin(submission)]
        table.writerow([harmless(result.student), *points, *sums, *words])
    write(out / "scores.csv", text.getvalue())
    rows = [_row(result) for result in graded]
    write(
        out / "scores.json", json.dumps({"assignment": assignment.name, "scores": rows}, indent=1)
    )


def _origin(submission: Submission) -> tuple[str, str]:
    """Return the student's name and the file as the export had it."""
    handed = submission.handed
    return shown(submission.person.name or handed.name), shown(f"{handed.label}/{handed.file}")


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def number(value: float | None) -> float | str:
    """Return points as a table shows them."""
    if value is None:
        return Status.NOT_JUDGED
    return int(value) if value == int(value) else round(value, 6)


def _row(result: Result) -> dict[str, object]:
    tasks = {task.name: {"points": task.earned, "status": task.status} for task in result.tasks}
    sums = {"points": result.earned, "possible": result.possible}
    said = {"problem": result.problem, "review": list(result.flags), "seconds": result.seconds}
    return {"student": result.student, **sums, "tasks": tasks, **said}
