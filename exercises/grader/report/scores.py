"""The score table: scores.csv for a spreadsheet, scores.json for programs."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.submissions import Submission, shown
from exercises.grader.mark.graded import Graded
from exercises.grader.mark.results import Status, TaskResult, write
from exercises.grader.report.cells import harmless, number
from exercises.grader.report.origin import Origin

SUMS = ["points", "possible", "problem", "review", "name", "file"]
HOW = ["points by the judge", "points before the deadline counts", "set by hand and late"]


def save(assignment: Assignment, graded: Sequence[Graded], origin: Origin, out: Path) -> None:
    """Write both tables, one row per student and one column per task.

    Args:
        assignment: whose tasks they are.
        graded: all submissions, and who handed in nothing.
        origin: what the points depend on.
        out: the folder of the batch.
    """
    names = [task.name for task in assignment.tasks]
    text = io.StringIO()
    # Where a list is separated by semicolons, a spreadsheet would cut a name at one, were it bare.
    table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(["student", *map(harmless, names), *SUMS, *HOW])
    for one in graded:
        table.writerow(_line(one))
    write(out / "scores.csv", text.getvalue())
    rows = [_row(one, origin) for one in graded]
    data = {"assignment": assignment.name, **origin.shared, "scores": rows}
    write(out / "scores.json", json.dumps(data, indent=1))


def _line(one: Graded) -> list[object]:
    result = one.result
    blank = (Status.ABSENT, Status.NOT_ASKED)
    points = ["" if task.status in blank else number(task.earned) for task in result.tasks]
    words = [harmless(result.problem), harmless("; ".join(one.look_at))]
    words += [harmless(text) for text in _named(one.submission)]
    how = [one.by_judge, one.before, harmless(" ".join(one.remarks))]
    sums = [one.points, number(result.possible)]
    return [harmless(result.student), *points, *sums, *words, *how]


def _named(submission: Submission) -> tuple[str, str]:
    """Return the student's name and the file as the export had it."""
    name = submission.person.name or submission.handed.name
    return shown(name), shown(submission.original)


def _row(one: Graded, origin: Origin) -> dict[str, object]:
    name, file = _named(one.submission)
    who = {"student": one.result.student, "name": name, "file": file}
    who["submission"] = origin.digests.get(one.submission.inside, "")
    pairs = zip(one.result.tasks, one.judged.tasks, strict=True)
    tasks = {task.name: _task(task, judged, one) for task, judged in pairs}
    sums = {"points": one.earned, "possible": one.result.possible}
    how = {"by_judge": one.judged.earned, "before_late": one.result.earned, "late": one.late.said}
    said = {"problem": one.result.problem, "review": one.look_at, "seconds": one.result.seconds}
    return {**who, **sums, **how, "tasks": tasks, **said}


def _task(task: TaskResult, judged: TaskResult, one: Graded) -> dict[str, object]:
    made: dict[str, object] = {"points": task.earned, "status": task.status}
    if override := one.set_by_hand.get(task.name):
        made |= {"by_judge": judged.earned, "judged": judged.status, "why": override.why}
    return made
