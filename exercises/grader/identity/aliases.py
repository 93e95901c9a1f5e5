"""Read the table in which a person lists ids that students typed in another way."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import Roster, plain_id
from exercises.grader.intake import tables

COLUMNS = ("typed", "student")


class Aliases(NamedTuple):
    """This is what a person has listed."""

    typed: Mapping[str, str] = {}  # the student's id for each id that was typed
    unnamed: frozenset[str] = frozenset()  # who answered before they typed any


NONE = Aliases()


def read(path: Path, roster: Roster | None) -> Aliases:
    """Return whose the ids are that students typed, and who answered for no id at all.

    Args:
        path: a CSV file with the columns typed and student. The column typed has the text that the
            table of scores shows between quotes, where no letter is invisible; it is empty for a
            student whose answers are judged by the numbers of whoever has typed no id.
        roster: who is in the class.

    Raises:
        ValueError: a line is incomplete, names no student of the class, or uses the id of another
            student.
    """
    made: dict[str, str] = {}
    unnamed: set[str] = set()
    for row in tables.read(path, COLUMNS):
        typed, student = row.get("typed"), row.get("student")
        if not typed and not student:
            continue
        if not student:
            raise ValueError(f"{row.place}: student must be filled in")
        student = _named(row, roster) if roster else student
        if not typed:
            unnamed.add(student)
            continue
        other = roster.with_id(typed) if roster else None
        if made.get(typed, student) != student or (other and other.id != student):
            whose = other.id if other else made[typed]
            raise ValueError(
                f"{row.place}: {typed!r} already stands for {whose!r}, so it cannot "
                f"also stand for {student!r}"
            )
        made[typed] = student
    return Aliases(made, frozenset(unnamed))


def _named(row: tables.Row, roster: Roster) -> str:
    """Return the id of the student of a line."""
    student = row.get("student")
    if not (people := roster.meant(student)):
        raise ValueError(f"{row.place}: no student on the roster has the id {student!r}")
    if len(people) > 1:
        said = " or ".join(repr(one.id) for one in people)
        raise ValueError(f"{row.place}: {student!r} may mean {said}: write the whole id")
    return people[0].id


def meant(aliases: Aliases, claimed: str) -> str:
    """Return the id of the student who typed this text, "" if no line of the table lists it."""
    return aliases.typed.get(claimed) or aliases.typed.get(repr(claimed)[1:-1], "")


def is_of(aliases: Aliases, claimed: str, student: str) -> bool:
    """Return whether a line of the table gives this text to this student."""
    found = meant(aliases, claimed)
    return bool(found) and plain_id(found) == plain_id(student)


def unused(aliases: Aliases, claimed: Sequence[str]) -> list[str]:
    """Return the texts in the table that no student typed."""
    typed = {text for one in claimed for text in (one, repr(one)[1:-1])}
    return [repr(one) for one in aliases.typed if one not in typed]
