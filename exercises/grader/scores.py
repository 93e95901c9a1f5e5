"""The score table: scores.csv for a spreadsheet, scores.json for programs."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from exercises.grader.assignment import Assignment
from exercises.grader.results import Result, write

# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def save(assignment: Assignment, graded: Sequence[Result], out: Path) -> None:
    """Write both tables, a row a student and a column a task."""
    names = [task.name for task in assignment.tasks]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["student", *map(harmless, names), "points", "possible", "problem", "review"])
    for result in graded:
        points = [f"{task.points:g}" for task in result.tasks]
        sums = [f"{result.points:g}", f"{result.possible:g}"]
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


def _row(result: Result) -> dict[str, object]:
    tasks = {task.name: {"points": task.points, "status": task.status} for task in result.tasks}
    sums = {"points": result.points, "possible": result.possible}
    said = {"problem": result.problem, "review": list(result.flags), "seconds": result.seconds}
    return {"student": result.student, **sums, "tasks": tasks, **said}
