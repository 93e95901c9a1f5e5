"""The roster of a class: the student ids, and what the learning management system calls each."""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity import heads
from exercises.grader.intake import tables
from exercises.grader.intake.forms import SYSTEMS, Handed

MONTH = (
    "(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|ma[iy]|jun[ei]?|jul[iy]?"
    "|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
DATE = re.compile(
    r"(?i)\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?|\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d\d)?"
    rf"|\d{{1,2}}[-. ]+{MONTH}\.?(?:[-. ]+(?:\d{{4}}|\d\d))?|{MONTH}[-. ]+(?:\d{{4}}|\d\d)"
)
SHORT = re.compile(r"\d(?:[.,]\d+)?[eE]\+\d+")  # such as 1.23E+07
TOTAL = re.compile(
    r"(?i)(?:(?:grand|overall|class) )?(?:total|sum|average|mean|median|count|summe|gesamt"
    r"|gesamtsumme|durchschnitt|mittelwert|anzahl)s?:?"
)
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
        # GitHub Classroom calls a folder ASSIGNMENT-LOGIN, and both may have more of these dashes.
        words = handed.label.split("-") if handed.form == "plain" else []
        logins += [("github", fold("-".join(words[n:]))) for n in range(1, len(words))]
        keys = [number, *logins, ("login", fold(handed.login)), ("any", fold(handed.label))]
        keys += [("plain", plain_id(handed.label))] if handed.form == "plain" else []
        keys += [("name", spelling) for spelling in _letters(handed.name or handed.label)]
        for key in keys:
            if key[1] and len(people := self.by.get(key, ())) == 1:
                return people[0]
        return None

    def with_id(self, text: str) -> Person | None:
        """Return the student with this id in any spelling, or the only one whom it may mean."""
        people = self.meant(text)
        return people[0] if len(people) == 1 else None

    def meant(self, text: str) -> tuple[Person, ...]:
        """Return the students whose id a text may mean."""
        plain = plain_id(text)
        keys = (("id", fold(text)), ("plain", plain), ("alias", plain))
        return next((self.by[key] for key in keys if key[1] and key in self.by), ())

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
        ValueError: there is no such file, no column is the id, or the id of a row is missing,
            occurs twice, or is what a spreadsheet made of one.
    """
    rows = [r for r in tables.read(path, ("id",), heads.meaning) if heads.is_student(r.columns)]
    lines: dict[str, str] = {}
    for row in rows:
        _check_id(row)
        place = lines.setdefault(fold(row.get("id")), row.place)
        if place != row.place:
            said = f"each id must appear only once in the roster, but {row.get('id')!r} is"
            raise ValueError(f"{row.place}: {said} also the id of {place.rpartition(', ')[2]}")
    people = [_person(row.columns) for row in rows]
    return Roster(tuple(people), _index(people))


def _check_id(row: tables.Row) -> None:
    """Stop at a row that is no student, or whose id a spreadsheet has changed."""
    text, name = row.get("id"), _person(row.columns).name
    total = next((x for x in [text, name, *row.columns.values()] if TOTAL.fullmatch(x)), "")
    if total and (not text or total in (text, name)):
        raise ValueError(f"{row.place}: {total!r} is a row of totals and no student: delete it")
    if not text:
        raise ValueError(f"{row.place}: the id is missing: fill it in, or delete the row")
    kind = "a date" if DATE.fullmatch(text) else "a rounded number" if SHORT.fullmatch(text) else ""
    if kind:
        raise ValueError(
            f"{row.place}: the id is {text!r}, because a spreadsheet has made it into {kind}: give "
            "the column id the format Text, type this id again, and save the file"
        )


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
    yield "github", fold(person.columns.get("github_username", ""))
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


def fitting(text: str, ids: Sequence[str]) -> list[str]:
    """Return the ids that are this text or, if there is none, those of its plain form."""
    found: list[str] = []
    for spelled in (str, fold, plain_id):
        found = found or [one for one in ids if text and spelled(one) == spelled(text)]
    return found


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
