"""The points in the columns that Moodle, Canvas, ILIAS and nbgrader read."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from exercises.grader.results import Result
from exercises.grader.scores import harmless, number
from exercises.grader.submissions import Submission

# The columns and their names are those of the programs themselves; README.md says where to read.
ILIAS = "update usr_id login lastname firstname status mark notice comment plagiarism plag_comment"
MOODLE = (
    "Identifier,Full name,ID number,Status,Grade,Maximum Grade,Last modified (grade),"
    "Feedback comments"
)
NBGRADER = "assignment duedate timestamp student_id last_name first_name email raw_score"
NBGRADER += " late_submission_penalty score max_score"
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section"
BYTE_ORDER_MARK = "\ufeff"  # without it a spreadsheet takes umlauts for two letters each


class Graded(NamedTuple):
    """A submission with its result."""

    submission: Submission
    result: Result

    @property
    def name(self) -> str:
        """The student's name, from the roster if there is one."""
        return harmless(self.submission.person.name or self.submission.handed.name)

    def column(self, *names: str) -> str:
        """Return the first of these columns of the roster that says something."""
        columns = self.submission.person.columns
        return harmless(next((columns[name] for name in names if columns.get(name)), ""))

    def number(self, system: str) -> str:
        """Return the number by which a system knows the student, "" if nobody said it."""
        handed = self.submission.handed
        if handed.form == system and handed.number:
            return handed.number
        found = re.search(r"\d+$", self.column(system))
        return found[0] if found else ""

    @property
    def points(self) -> float | str:
        """The points for a table."""
        return number(self.result.earned)


def sheet(rows: Sequence[Sequence[object]]) -> str:
    """Return rows as a CSV file that a spreadsheet opens right."""
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
        who = [f"Participant {one.number('moodle')}", one.name, _id(one)]
        rows.append([*who, "", one.points, number(one.result.possible), "-", ""])
    return rows


def canvas(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return the gradebook of a course with one assignment."""
    possible = number(graded[0].result.possible) if graded else ""
    rows: list[list[object]] = [[*CANVAS.split(","), column]]
    rows.append(["    Points Possible", "", "", "", "", possible])
    for one in graded:
        sis = [one.column("sis user id", "sis_id"), one.column("sis login id", "login")]
        rows.append(
            [one.name, one.number("canvas"), *sis, one.column("section"), one.points],
        )
    return rows


def ilias(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return the status file that a plugin of ILIAS reads."""
    rows: list[list[object]] = [[*ILIAS.split()]]
    for one in graded:
        login = harmless(one.submission.handed.login) or one.column("login")
        names = [one.column("lastname"), one.column("firstname")]
        # Whether the points are enough is for a person to say.
        said = ["notgraded", one.points, "", "", "", ""]
        rows.append([1, one.number("ilias"), login, *names, *said])
    return rows


def nbgrader(graded: Sequence[Graded], column: str) -> list[list[object]]:
    """Return a table as `nbgrader export` writes it."""
    rows: list[list[object]] = [[*NBGRADER.split()]]
    for one in graded:
        names = [one.column("lastname"), one.column("firstname"), one.column("email")]
        sums = [one.points, 0, one.points, number(one.result.possible)]
        rows.append([column, "", "", _id(one), *names, *sums])
    return rows


def _id(one: Graded) -> str:
    return harmless(one.submission.student)


TABLES: dict[str, Callable[[Sequence[Graded], str], list[list[object]]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "ilias": ilias,
    "nbgrader": nbgrader,
}
