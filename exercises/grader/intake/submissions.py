"""Define a submission: its student, its place, and what the tables show about it."""

import hashlib
import os
import unicodedata
import urllib.parse
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import Person
from exercises.grader.intake.forms import Handed

LONGEST_NAME = 120


class Submission(NamedTuple):
    """This is a submission: its student, and its file or the reason why there is none."""

    student: str
    inside: str
    problem: str = ""
    handed: Handed = Handed()
    name: str = ""  # of its file among all that was handed in
    person: Person = Person("")  # as the roster has them
    drawn_for: str = ""  # the id that the student's numbers come from, letter for letter
    is_unnamed: bool = False  # its numbers are those of whoever has typed no id
    dispute: str = ""  # how the first cell and the file disagree
    flags: tuple[str, ...] = ()  # what a person should look at
    notes: tuple[str, ...] = ()  # what the student should know
    question: str = ""  # why no gradebook gets its points before a person has answered
    may_compute: bool = False  # its answers on paper: the instructor's own solutions do
    earlier: tuple["Submission", ...] = ()  # what the same student handed in before
    by: str = ""  # who of the student's group handed it in

    @property
    def original(self) -> str:
        """The name of the file in the export, "" if nothing was handed in."""
        label, file = self.handed.label, self.handed.file
        if not self.inside or (file and label.endswith(file)):
            return label if self.inside else ""
        return f"{label}/{file}"

    def number(self, system: str) -> str:
        """Return the number of the student in a system, "" if it is unknown."""
        is_of_system = self.handed.form == system and self.handed.number
        return self.handed.number if is_of_system else self.person.number(system)

    @property
    def page(self) -> str:
        """The name of the page of feedback: the id, but where two hand in under one, the file's."""
        return f"{self.key}~" if self.question else _safe(os.fsencode(self.student))

    @property
    def key(self) -> str:
        """A name for files that every file system and shell accepts."""
        name = self.handed.label or Path(self.inside).parts[0].removesuffix(".ipynb")
        return _safe(os.fsencode(name))


def _safe(raw: bytes) -> str:
    key = urllib.parse.quote(raw, safe="").replace("~", "%7E")
    key = f"%2E{key[1:]}" if key.startswith(".") else key
    if len(key) <= LONGEST_NAME:
        return key
    return f"{key[:LONGEST_NAME]}~{hashlib.sha256(raw).hexdigest()[:16]}"


def shown(name: str) -> str:
    """Return a name as a table shows it."""
    # Some systems take letters with accents apart; the student's keyboard does not.
    text = unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))
    # A new line would look like a row of the table, a letter without width like another student.
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
