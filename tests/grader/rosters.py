"""Rosters with the heads that systems write, each for the same students."""

from pathlib import Path
from typing import NamedTuple

import openpyxl

MOODLE = "First name,Last name,ID number,Institution,Department,Email address"
MOODLE += ",Assignment: Attention (Real),Course total (Real),Last downloaded from this course"
MOODLE_GERMAN = "Vorname,Nachname,ID-Nummer,Institution,Abteilung,E-Mail-Adresse"
MOODLE_GERMAN += ",Aufgabe: Attention (Punkte),Kurs gesamt (Punkte),Zuletzt aus diesem Kurs geladen"
WORKSHEET = "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade"
WORKSHEET += ",Grade can be changed,Last modified (submission),Last modified (grade)"
WORKSHEET_GERMAN = "ID,Vollständiger Name,ID-Nummer,E-Mail-Adresse,Status,Bewertung,Bestwertung"
WORKSHEET_GERMAN += ",Bewertung kann geändert werden,Zuletzt geändert (Abgabe)"
CANVAS = "{},ID,SIS User ID,SIS Login ID,Section,Attention (1234),Current Score"
ILIAS = '"Rollenstatus";"Anmeldename";"Vorname";"Nachname";"Matrikelnummer";"E-Mail";"Gruppen"'
GITHUB = '"identifier","github_username","github_id","name"'


class Someone(NamedTuple):
    """This is a student, and the numbers of the systems that no student knows."""

    id: str
    first: str
    last: str
    moodle: str = "901"
    canvas: str = "4711"
    login: str = "someone"


def someone(n: int, id: str, first: str, last: str) -> Someone:
    return Someone(id, first, last, f"{900 + n}", f"{4700 + n}", f"{first[0]}{last}{n}".lower())


CLASS = [
    someone(1, "0012345", "Jörg", "Müller"),
    someone(2, "0012346", "Zoë", "Ångström"),
    someone(3, "1234567", "Anna-Lena", "von Groß"),
]


def moodle(one: Someone) -> str:
    return f"{one.first},{one.last},{one.id},,,{one.login}@x.org,-,-,1790000000"


def worksheet(one: Someone, number: str = "Participant ") -> str:
    who = f"{number}{one.moodle},{one.first} {one.last},{one.id},{one.login}@x.org"
    return f"{who},Submitted for grading,,20.00,Yes,-,-"


def worksheet_german(one: Someone) -> str:
    return worksheet(one, "Teilnehmer/in").removesuffix(",-")


def canvas(one: Someone, name: str = '"{last}, {first}"') -> str:
    who = name.format(first=one.first, last=one.last)
    return f"{who},{one.canvas},{one.id},{one.login},Lecture,12,60"


def canvas_rows(class_: list[Someone], name: str, comma: str = "") -> list[str]:
    """What is hidden from students, what can be had, and last the student that tries out a page."""
    above = [f"{comma},,,,,Manual Posting,", f"    Points Possible{comma},,,,,20.00,(read only)"]
    test = Someone("", "Test", "Student", "", "4799", "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3")
    return [*above, *(canvas(one, name) for one in [*class_, test])]


def ilias(one: Someone) -> str:
    row = ("Mitglied", one.login, one.first, one.last, one.id, f"{one.login}@x.org", "Gruppe 1")
    return ";".join(f'"{each}"' for each in row)


def github(one: Someone) -> str:
    return f'"{one.id}","{one.login}","{one.canvas}","{one.first} {one.last}"'


def texts(class_: list[Someone]) -> dict[str, str]:
    """Each text that a system writes of this class."""
    lines = {
        "Moodle": [MOODLE, *map(moodle, class_)],
        "Moodle in German": [MOODLE_GERMAN, *map(moodle, class_)],
        "Moodle's worksheet": [WORKSHEET, *map(worksheet, class_)],
        "Moodle's worksheet in German": [WORKSHEET_GERMAN, *map(worksheet_german, class_)],
        "Canvas": [CANVAS.format("Student"), *canvas_rows(class_, '"{last}, {first}"')],
        "Canvas with two names": [
            CANVAS.format("LastName,FirstName"),
            *canvas_rows(class_, "{last},{first}", ","),
        ],
        "ILIAS": [ILIAS, *map(ilias, class_)],
        "GitHub Classroom": [GITHUB, *map(github, class_)],
    }
    return {system: "\n".join([*rows, ""]) for system, rows in lines.items()}


def by_hand(path: Path, class_: list[Someone]) -> Path:
    """Write a workbook that a person made: open at their notes, numbers without their zeros."""
    book = openpyxl.Workbook()
    book.active.append(["Please ask Ms. Weiß before you change the list"])
    sheet = book.create_sheet("Class")
    sheet.append(["Name", "Student ID", "Tutorial"])
    for one in class_:
        sheet.append([f"{one.first} {one.last}", int(one.id), "Monday"])
    book.save(path)
    return path
