"""The points in the columns that Moodle, Canvas and ILIAS read."""

import csv
import io
from collections.abc import Callable, Sequence

from exercises.grader.mark.graded import Graded, possible
from exercises.grader.mark.lateness import UNKNOWN
from exercises.grader.report.cells import harmless, number

# The columns and their names are those of the programs themselves; README.md says where to read.
ILIAS = "update usr_id login lastname firstname status mark notice comment plagiarism plag_comment"
MOODLE = (
    "Identifier,Full name,ID number,Status,Grade,Maximum Grade,Last modified (grade),"
    "Feedback comments"
)
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section"
BYTE_ORDER_MARK = "\ufeff"  # without it a spreadsheet takes umlauts for two letters each


def sheet(rows: Sequence[Sequence[object]]) -> str:
    """Return rows as a CSV file that a spreadsheet opens correctly."""
    text, end = io.StringIO(), "\r\n"
    # Canvas cannot read quotes behind a byte order mark, so the first name has none. The others
    # need them: where semicolons part a list, a spreadsheet would cut a name at one.
    csv.writer(text, lineterminator=end).writerows(rows[:1])
    csv.writer(text, lineterminator=end, quoting=csv.QUOTE_NONNUMERIC).writerows(rows[1:])
    return BYTE_ORDER_MARK + text.getvalue()


def moodle(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return the grading worksheet of an assignment."""
    rows: list[list[object]] = [[*MOODLE.split(",")]]
    for one in graded:
        who = [f"Participant {one.submission.number('moodle')}", one.name, _id(one)]
        remarks = harmless(" ".join(one.for_student))
        rows.append([*who, "", one.points, number(one.result.possible), "-", remarks])
    return rows


def canvas(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return the gradebook of a course with one assignment."""
    most = number(possible(graded)) if graded else ""
    rows: list[list[object]] = [[*CANVAS.split(","), column]]
    rows.append(["    Points Possible", "", "", "", "", most])
    for one in graded:
        sis = [one.column("sis user id", "sis_id"), one.column("sis login id", "login")]
        rows.append(
            [one.name, one.submission.number("canvas"), *sis, one.column("section"), one.points],
        )
    return rows


def ilias(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return the status file that a plugin of ILIAS reads."""
    rows: list[list[object]] = [[*ILIAS.split()]]
    for one in graded:
        login = one.column("login") or harmless(one.submission.handed.login)
        names = [one.column("lastname"), one.column("firstname")]
        # Whether the points are enough is for a person to say.
        said = ["notgraded", one.points, "", harmless(" ".join(one.for_student)), "", ""]
        rows.append(
            [int(not one.result.is_absent), one.submission.number("ilias"), login, *names, *said]
        )
    return rows


def changes(graded: Sequence[Graded]) -> list[list[object]]:
    """Return a table of the changes by a person or a deadline, next to the points of the judge."""
    rows: list[list[object]] = [["student", "name", "what", "before", "after", "why"]]
    for one in graded:
        who = [_id(one), one.name]
        for before, after in zip(one.judged.tasks, one.result.tasks, strict=True):
            if override := one.set_by_hand.get(after.name):
                points = [number(before.earned), number(after.earned)]
                rows.append([*who, harmless(after.name), *points, harmless(override.why)])
        if one.late.said not in ("", UNKNOWN):
            rows.append([*who, "deadline", one.before, one.points, harmless(one.late.said)])
    return rows


def _id(one: Graded) -> str:
    return harmless(one.submission.student)


TABLES: dict[str, Callable[[Sequence[Graded], str], list[list[object]]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "ilias": ilias,
}
