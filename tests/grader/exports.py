"""What a class hands in, as Moodle, Canvas and ILIAS export it."""

import csv
import io
import json
import os
import unicodedata
import zipfile
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import read as read_roster
from tests.grader import course

WRONG = {"double": "def double(x):\n    return x + 2\n"}
ROSTER = """id,name,moodle,canvas,ilias,login,SIS User ID,Section,lastname,firstname
s-17,Jörg Müller,Participant 901,4711,301,jmueller,SIS17,A,Müller,Jörg
s-18,Zoë Ångström,902,4712,302,zoe.a,SIS18,B,Ångström,Zoë
s-19,"Anna-Lena von Groß",903,4713,303,agross,SIS19,A,von Groß,Anna-Lena
"""


class File(NamedTuple):
    """A file of an export: its name, what it holds, minutes since noon."""

    name: str
    content: object
    minutes: int = 0


def right(student):
    return course.submission(student)


def wrong(student):
    return course.submission(student, WRONG)


def moodle():
    """The second handed in a corrected notebook, the third a text beside it."""
    zoe = unicodedata.normalize("NFD", "Zoë Ångström")
    return [
        File("Jörg Müller_901_assignsubmission_file/demo.ipynb", right("s-17")),
        File(f"{zoe}_902_assignsubmission_file_/demo.ipynb", wrong("s-18")),
        File(f"{zoe}_902_assignsubmission_file_/inner/demo (1).ipynb", right("s-18"), 9),
        File("Anna-Lena von Groß_903_assignsubmission_file_demo.ipynb", wrong("s-19")),
        File("Anna-Lena von Groß_903_assignsubmission_onlinetext/onlinetext.html", "Hello"),
    ]


def canvas():
    """Canvas squeezes names, and puts the number of the upload behind that of the student."""
    return [
        File("müllerjörg_4711_9001_demo.ipynb", right("s-17"), 9),
        File("ångströmzoë_LATE_4712_9002_demo.ipynb", wrong("s-18"), 5),
        File("ångströmzoë_LATE_4712_9010_demo-1.ipynb", right("s-18")),
        File("vongroßannalena_4713_9003_demo.ipynb", wrong("s-19")),
        File("vongroßannalena_4713_9004_plot.png", "PNG"),
    ]


def ilias():
    """ILIAS takes accents off, numbers files of the same name, and says what came late."""
    top = "My_first_exercise_12/Submissions"
    return [
        File(f"{top}/Muller_Jorg_jmueller_301/demo.ipynb", right("s-17")),
        File(f"{top}/Angstrom_Zoe_zoe.a_302/demo.ipynb", wrong("s-18"), 3),
        File(f"{top}/Angstrom_Zoe_zoe.a_302/Late Submission - demo (2).ipynb", right("s-18"), 3),
        File(f"{top}/von Gross_Anna-Lena_agross_303/demo.ipynb", wrong("s-19")),
        File("My_first_exercise_12/Uebung_1.xlsx", "a table"),
    ]


def plain():
    return [
        File(f"{student}/demo.ipynb", made(student))
        for student, made in (("s-17", right), ("s-18", right), ("s-19", wrong))
    ]


EXPORTS = {"moodle": moodle, "canvas": canvas, "ilias": ilias}


def roster(root, text=ROSTER):
    """Write a roster; return the words that name it."""
    (root / "roster.csv").write_text(text, "utf-8")
    return ["--roster", str(root / "roster.csv")]


def people(root, text=ROSTER):
    """Write a roster and read it."""
    return read_roster(Path(roster(root, text)[1]))


def table(path):
    """Read a table by its columns; some begin with a byte order mark."""
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def text_of(file):
    return file.content if isinstance(file.content, str) else json.dumps(file.content)


def zipped(path, files):
    """Write a zip; return its path."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            info = zipfile.ZipInfo(file.name, (2026, 3, 2, 12, file.minutes, 0))
            archive.writestr(info, text_of(file))
    return path


def unpacked(folder, files):
    """Write the same files into a folder; return it."""
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(file), encoding="utf-8")
        os.utime(path, (60 * file.minutes, 60 * file.minutes))
    return folder
