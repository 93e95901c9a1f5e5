"""Read the table in which a person lists ids that students typed in another way."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from exercises.grader.identity.roster import Roster, plain_id
from exercises.grader.intake import tables

COLUMNS = ("typed", "student")


def read(path: Path, roster: Roster | None) -> Mapping[str, str]:
    """Return the student's id for each id that was typed.

    Args:
        path: a CSV file with the columns typed and student. The column typed has the text that the
            table of scores shows between quotes, where no letter is invisible.
        roster: who is in the class.

    Raises:
        ValueError: a line is incomplete, names no student of the class, or uses the id of another
            student.
    """
    made: dict[str, str] = {}
    for row in tables.read(path, COLUMNS):
        typed, student = row.get("typed"), row.get("student")
        if not typed and not student:
            continue
        if not typed or not student:
            raise ValueError(f"{row.place}: both typed and student must be filled in")
        person = roster.with_id(student) if roster else None
        if roster and person is None:
            raise ValueError(f"{row.place}: no student on the roster has the id {student!r}")
        student = person.id if person else student
        other = roster.with_id(typed) if roster else None
        if made.get(typed, student) != student or (other and other.id != student):
            whose = other.id if other else made[typed]
            raise ValueError(
                f"{row.place}: {typed!r} already stands for {whose!r}, so it cannot "
                f"also stand for {student!r}"
            )
        made[typed] = student
    return made


def meant(aliases: Mapping[str, str], claimed: str) -> str:
    """Return the id of the student who typed this text, "" if no line of the table lists it."""
    return aliases.get(claimed) or aliases.get(repr(claimed)[1:-1], "")


def is_of(aliases: Mapping[str, str], claimed: str, student: str) -> bool:
    """Return whether a line of the table gives this text to this student."""
    found = meant(aliases, claimed)
    return bool(found) and plain_id(found) == plain_id(student)


def unused(aliases: Mapping[str, str], claimed: Sequence[str]) -> list[str]:
    """Return the texts in the table that no student typed."""
    typed = {text for one in claimed for text in (one, repr(one)[1:-1])}
    return [repr(one) for one in aliases if one not in typed]
