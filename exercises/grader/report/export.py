"""Write a gradebook file, and the feedback pages under the names that a system accepts."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from exercises.grader.intake.submissions import Submission, shown
from exercises.grader.mark.graded import Graded
from exercises.grader.mark.results import write
from exercises.grader.report.cells import harmless
from exercises.grader.report.gradebook import TABLES, changes, sheet

CLEAN = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')


def save(system: str, graded: Sequence[Graded], assignment: str, column: str, out: Path) -> Path:
    """Write DIR/export/SYSTEM: grades.csv, feedback.zip, changes.csv, not_exported.csv.

    Args:
        system: one of `TABLES`.
        graded: all submissions with their results.
        assignment: its name.
        column: the name of the assignment in the system.
        out: where the batch is; it holds the pages.
    """
    folder = out / "export" / system
    folder.mkdir(parents=True, exist_ok=True)
    missing = [_left(one, why) for one in graded if (why := _why(one, system))]
    missing += [
        _left(
            one, "no page in feedback.zip, because Canvas needs the name of the file in its export"
        )
        for one in graded
        if system == "canvas" and one.submission.inside and not one.submission.handed.exported
    ]
    ready = [one for one in graded if not _why(one, system)]
    table = sheet(TABLES[system](ready, column))
    write(folder / ("status.csv" if system == "ilias" else "grades.csv"), table)
    write(folder / "changes.csv", sheet(changes(graded)))
    write(folder / "not_exported.csv", sheet([("student", "name", "file", "why"), *missing]))
    _pack(folder / "feedback.zip", system, graded, assignment, out, table)
    return folder


def check(system: str, column: str, found: Sequence[Submission]) -> None:
    """Stop before a student is judged if the gradebook file could not be right.

    Raises:
        ValueError: no student has a number in this system, or Canvas would make a new assignment.
    """
    if system == "canvas" and not column:
        raise ValueError(
            "--export canvas needs --column, the name of the assignment in the gradebook of "
            "Canvas, such as 'Attention (1234)', because without its number Canvas makes a new one"
        )
    if not any(one.number(system) for one in found):
        raise ValueError(
            f"--export {system} needs a number for each student: give a --roster with a column "
            f"{system}, or an export of {system} as SUBMISSIONS"
        )


def _left(one: Graded, why: str) -> list[str]:
    said = (one.result.student, one.name, one.submission.original, why)
    return [harmless(shown(text)) for text in said]


def _why(one: Graded, system: str) -> str:
    """Return why a student gets no row: no gradebook shall hold a zero that nobody gave.

    Who handed in nothing gets a row without points, which the systems skip.
    """
    if one.result.not_judged:
        return "not judged; repeat the same command to try again"
    if one.submission.question:
        return one.submission.question
    if one.is_unread:
        return f"no points until a person decides: {one.result.problem}"
    if not one.submission.number(system):
        return f"the number in {system} is unknown: add a column {system} to the roster"
    return ""


def _pack(
    path: Path, system: str, graded: Sequence[Graded], assignment: str, out: Path, table: str
) -> None:
    draft = path.with_name(path.name + ".part")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        with_page = [one for one in graded if one.submission.inside]
        for one, name in _names(system, with_page, assignment):
            archive.write(out / "feedback" / f"{one.submission.page}.html", name)
        if system == "ilias":
            archive.writestr(f"multi_feedback_{_clean(assignment)}/status.csv", table)
    draft.replace(path)


def _names(system: str, graded: Sequence[Graded], assignment: str) -> Iterator[tuple[Graded, str]]:
    """Give each page its name in the zip; a student without a number gets none."""
    page = f"feedback_{_clean(assignment)}.html"
    for one in graded:
        handed, number = one.submission.handed, one.submission.number(system)
        name = _clean(one.name).replace("_", " ") or "student"
        if not number:
            continue
        if system == "moodle":
            yield one, f"{name}_{number}_assignsubmission_file/{page}"
        elif system == "ilias":
            label = handed.label if handed.form == "ilias" else f"{name}_{number}"
            yield one, f"multi_feedback_{_clean(assignment)}/{_clean(label)}/{page}"
        elif handed.exported:  # Canvas finds the student by the name that it gave the file
            yield one, f"{_clean(handed.exported.removesuffix('.ipynb'))}.html"


def _clean(name: str) -> str:
    """Return a name that is one part of a path and leads nowhere."""
    return CLEAN.sub(" ", name).strip(" .")
