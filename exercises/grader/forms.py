"""How Moodle, Canvas and ILIAS name what a student handed in.

The names are those that their own programs write; README.md says where that can be read.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

MOODLE = re.compile(
    r"(?P<label>(?P<name>[^_]*)_(?P<number>\d+))_assignsubmission_[a-z]+(?:_(?P<file>.*))?",
    re.DOTALL,
)
CANVAS = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL
)
ILIAS = re.compile(
    r"(?P<last>[^_]+)_(?P<first>.+)_(?P<login>[^_]*[^\W\d_][^_]*)_(?P<number>\d+)", re.DOTALL
)
# The mark is in the language of whoever exports: "Late Submission", "Verspätete Abgabe".
LATE_IN_ILIAS = re.compile(r".*?\b(?:late|versp\w*)\b.*? - (?P<file>.+)", re.IGNORECASE)
COPY = re.compile(r"(?P<stem>.*?)[ _-]?\((?P<copy>\d+)\)", re.DOTALL)


class Handed(NamedTuple):
    """What the name of a file says about who handed it in, and how."""

    form: str = "plain"
    label: str = ""  # what all files of one student share
    number: str = ""  # by which the system knows the student
    name: str = ""
    login: str = ""
    file: str = ""  # the name that the student gave it
    late: bool = False
    attachment: int = 0  # of Canvas; a later one has a higher number
    exported: str = ""  # the name in the export, which Canvas wants back

    @property
    def stem(self) -> str:
        """The student's name of the file without `.ipynb` and `(1)`."""
        stem = self.file.removesuffix(".ipynb")
        return match["stem"] if (match := COPY.fullmatch(stem)) else stem

    @property
    def copy(self) -> int:
        """The number that a system or a browser put behind a name that was taken."""
        match = COPY.fullmatch(self.file.removesuffix(".ipynb"))
        return int(match["copy"][:9]) if match else 0


def form_of(names: Sequence[str]) -> str:
    """Return which system exported these files: moodle, canvas, ilias or plain."""
    if any(in_moodle(name) for name in names):
        return "moodle"
    for form, read in (("canvas", in_canvas), ("ilias", in_ilias)):
        if 2 * sum(read(name) is not None for name in names) > len(names):
            return form
    return "plain"


def around(names: Sequence[str], form: str) -> frozenset[str]:
    """Return the folders around students; the title of an exercise may look like one."""
    found: set[str] = set()
    for name in names if form == "ilias" else ():
        if handed := in_ilias(name):
            parts = name.split("/")
            found.update(parts[: parts.index(handed.label)])
    return frozenset(found)


def read(name: str, form: str) -> Handed | None:
    """Return what a path in an export says, None if this form knows no such path."""
    return {"moodle": in_moodle, "canvas": in_canvas, "ilias": in_ilias, "plain": plain}[form](name)


def in_moodle(name: str) -> Handed | None:
    """Read FULLNAME_NUMBER_assignsubmission_file_/FILE, or the same without folders."""
    for part in name.split("/"):
        if match := MOODLE.fullmatch(part):
            file = match["file"] or name.rpartition("/")[2]
            return Handed("moodle", match["label"], match["number"], match["name"], "", file)
    return None


def in_canvas(name: str) -> Handed | None:
    """Read NAME_NUMBER_ATTACHMENT_FILE, with LATE behind the name where it came late."""
    base = name.rpartition("/")[2]
    if (match := CANVAS.fullmatch(base)) is None:
        return None
    label, attachment = f"{match['name']}_{match['number']}", int(match["attachment"][:18])
    late, file = match["late"] is not None, match["file"]
    return Handed("canvas", label, match["number"], match["name"], "", file, late, attachment, base)


def in_ilias(name: str) -> Handed | None:
    """Read LASTNAME_FIRSTNAME_LOGIN_NUMBER/FILE, at any depth."""
    *folders, base = name.split("/")
    for part in reversed(folders):
        if match := ILIAS.fullmatch(part):
            late = LATE_IN_ILIAS.fullmatch(base)
            who, file = f"{match['first']} {match['last']}", late["file"] if late else base
            return Handed("ilias", part, match["number"], who, match["login"], file, bool(late))
    return None


def plain(name: str) -> Handed:
    """Read STUDENT/FILE or STUDENT.ipynb."""
    top, _, rest = name.partition("/")
    if rest:
        return Handed("plain", top, file=rest.rpartition("/")[2])
    stem = top.removesuffix(".ipynb")
    label = match["stem"] if (match := COPY.fullmatch(stem)) and match["stem"] else stem
    return Handed("plain", label, file=top)
