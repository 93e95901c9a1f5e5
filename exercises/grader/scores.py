"""The score table: scores.csv for a spreadsheet, scores.json for programs."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from exercises.grader.assignment import Assignment
from exercises.grader.results import Result, Status, write

# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def save(assignment: Assignment, graded: Sequence[Result], out: Path) -> None:
    """Write both tables, a row a student and a column a task."""
    names = [task.name for task in assignment.tasks]
    text = io.StringIO()
    # Where a list is separated by semicolons, a spreadsheet would cut a name at one, were it bare.
    table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(["student", *map(harmless, names), "points", "possible", "problem", "review"])
    for result in graded:
        points = [_number(task.earned) for task in result.tasks]
        sums = [_number(result.earned), _number(result.possible)]
        words = [harmless(result.problem), harmless("; ".join(result.flags))]
        table.writerow([harmless(result.student), *points, *sums, *words])
    write(out / "scores.csv", text.getvalue())
    rows = [_row(result) for result in graded]
    write(
        out / "scores.json", json.dumps({"assignment": assignment.name, "scores": rows}, indent=1)
    )


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _number(value: float | None) -> float | str:
    if value is None:
        return Status.NOT_JUDGED
    return int(value) if value == int(value) else round(value, 6)


def _row(result: Result) -> dict[str, object]:
    tasks = {task.name: {"points": task.earned, "status": task.status} for task in result.tasks}
    sums = {"points": result.earned, "possible": result.possible}
    said = {"problem": result.problem, "review": list(result.flags), "seconds": result.seconds}
    return {"student": result.student, **sums, "tasks": tasks, **said}
