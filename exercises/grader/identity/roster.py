"""The roster of a class: the student ids, and what the learning management system calls each."""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from exercises.grader.intake import tables
from exercises.grader.intake.forms import SYSTEMS, Handed

MOST_WORDS = 4  # of a name that are tried in every order


class Person(NamedTuple):
    """This is a student of the class; `columns` holds their whole row of the roster."""

    id: str
    name: str = ""
    columns: Mapping[str, str] = {}

    def number(self, system: str) -> str:
        """Return the number of the student in a system, "" if it is unknown."""
        return number_at_end(self.columns.get(system, ""))


def number_at_end(text: str) -> str:
    """Return the number of a student, for which Moodle's own sheets say "Participant 12345"."""
    found = re.search(r"\d+$", text)
    return found[0] if found else ""


class Roster(NamedTuple):
    """This is the class, with the students to whom each name belongs."""

    people: tuple[Person, ...]
    by: Mapping[tuple[str, str], tuple[Person, ...]]

    def find(self, handed: Handed) -> Person | None:
        """Return the student who handed in a file, None if the name fits no student or several."""
        number = ("number " + handed.form, handed.number)
        # In ILIAS a login comes after an underscore and may have some: the longest one counts.
        names = handed.label.split("_")[1:-1] if handed.login else []
        logins = [("login", fold("_".join(names[n:]))) for n in range(len(names))]
        keys = [number, *logins, ("login", fold(handed.login)), ("any", fold(handed.label))]
        keys += [("name", spelling) for spelling in _letters(handed.name or handed.label)]
        for key in keys:
            if key[1] and len(people := self.by.get(key, ())) == 1:
                return people[0]
        return None

    def with_id(self, text: str) -> Person | None:
        """Return the student with this id in any spelling, or the only one whom it may mean."""
        plain = plain_id(text)
        for key in (("id", fold(text)), ("plain", plain), ("alias", plain)):
            if key[1] and len(people := self.by.get(key, ())) == 1:
                return people[0]
        return None

    def group(self, person: Person) -> list[Person]:
        """Return the other students who have the same word in the column `group`."""
        name = fold(person.columns.get("group", ""))
        found = [one for one in self.people if name == fold(one.columns.get("group", ""))]
        return [one for one in found if one.id != person.id] if name else []

    def spelling(self, person: Person, typed: str, width: int = 0) -> str:
        """Return the text that a student's numbers are drawn from: the id, or what they typed.

        Only a few spellings count, because a student could otherwise try many until the numbers of
        a friend appear. A spelling that may mean two students means neither.

        Args:
            person: whose numbers they are.
            typed: the id in the first cell.
            width: how many digits an id has if a spreadsheet has removed its zeros.
        """
        key = plain_id(typed)
        meant = [one for one in _spellings(person, width) if plain_id(one) == key]
        if not meant or len(self.by.get(("alias", key), ())) != 1:
            return person.id
        return next((one for one in meant if fold(one) == fold(typed)), meant[0])


def read(path: Path) -> Roster:
    """Read a table with the columns id, name and the names of each student in the systems.

    Raises:
        ValueError: there is no such file, no column `id`, or an id is missing or occurs twice.
    """
    people = [_person(row.columns) for row in tables.read(path, ("id",))]
    ids = [fold(person.id) for person in people]
    if twice := sorted({each for each in ids if ids.count(each) > 1 or not each}):
        raise ValueError(
            f"each id must appear only once in the roster {path}, but {twice[0]!r} "
            "appears more often"
        )
    return Roster(tuple(people), _index(people))


def _person(columns: Mapping[str, str]) -> Person:
    name = columns.get("name") or f"{columns.get('firstname', '')} {columns.get('lastname', '')}"
    return Person(columns["id"], name.strip(), columns)


def _index(people: list[Person]) -> dict[tuple[str, str], tuple[Person, ...]]:
    found: dict[tuple[str, str], set[str]] = {}
    for person in people:
        for key in _keys(person):
            found.setdefault(key, set()).add(person.id)
    whole = {person.id: person for person in people}
    return {key: tuple(whole[one] for one in sorted(ids)) for key, ids in found.items()}


def _keys(person: Person) -> Iterator[tuple[str, str]]:
    yield "id", fold(person.id)
    yield "plain", plain_id(person.id)
    for spelling in _spellings(person):
        yield "alias", plain_id(spelling)
    for column in ("id", "login", "ilias", "email"):
        yield "login", fold(person.columns.get(column, "").partition("@")[0])
    for system in SYSTEMS:
        yield f"number {system}", person.number(system)
    for value in person.columns.values():
        yield "any", fold(value)
    for spelling in _letters(person.name):
        yield "name", spelling


def _spellings(person: Person, width: int = 0) -> list[str]:
    """Return the closed list of what a student may type for the id."""
    number, email = person.id, person.columns.get("email", "")
    zeros = [number.lstrip("0"), number.zfill(width)] if number.isdecimal() else []
    login = person.columns.get("login", "")
    listed = [number, *zeros, login, email, email.partition("@")[0], person.name]
    return [one for one in listed if one]


def fold(text: str) -> str:
    """Return a text without differences in case and white space."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def plain_id(typed: str) -> str:
    """Return the plain form of an id, without the differences that typing or copying causes.

    The helper of this name in an assignment does the same, so two ids of one plain form draw the
    same numbers.
    """
    folded = unicodedata.normalize("NFKC", typed).casefold()
    text = unicodedata.normalize("NFKC", "".join(map(_plain_letter, folded)))
    return text.lstrip("0") or text if text.isdecimal() else text


def _plain_letter(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Pd" or letter == "\N{MINUS SIGN}":
        return "-"
    if kind[0] in "CZ":
        return ""
    return str(unicodedata.digit(letter)) if kind == "Nd" else letter


def _letters(name: str) -> set[str]:
    """Return a name as systems squeeze it: without gaps and accents, its words in any order."""
    spellings = set()
    low = unicodedata.normalize("NFC", name).casefold()
    spelled = low.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    for text in (low, spelled):
        apart = unicodedata.normalize("NFKD", text)
        words = re.findall(r"\w+", "".join(x for x in apart if not unicodedata.combining(x)))
        orders = itertools.permutations(words) if len(words) <= MOST_WORDS else [tuple(words)]
        spellings |= {"".join(order) for order in orders}
    return spellings
