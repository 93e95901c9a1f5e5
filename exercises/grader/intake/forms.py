"""Read the names that Moodle, Canvas and ILIAS give to what a student handed in.

The names are those that their own programs write; README.md lists the sources.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

MOODLE = re.compile(
    r"(?P<label>(?P<name>[^_]*)_(?P<number>\d+))_assignsubmission_[a-z]+(?:_(?P<file>.*))?",
    re.DOTALL,
)
CANVAS = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<number>\d+)_"
    r"(?:(?P<attachment>\d+)_(?P<file>.*)|(?P<page>(?:text|link)\.html))",
    re.DOTALL,
)
ILIAS = re.compile(
    r"(?P<last>[^_]+)_(?P<first>.+)_(?P<login>[^_]*[^\W\d_][^_]*)_(?P<number>\d+)", re.DOTALL
)
# The mark is in the language of whoever exports: "Late Submission", "Verspätete Abgabe".
LATE_IN_ILIAS = re.compile(r".*?\b(?:late|versp\w*)\b.*? - (?P<file>.+)", re.IGNORECASE)
ANONYMOUS = re.compile(r"(?:.*/)?anon_(?=\d*[A-Za-z])[A-Za-z0-9]{5}_(?:LATE_)?\d+_[^/]*", re.DOTALL)
EXERCISE = "_exercise"  # behind the name of a release, since a chapter is called NAME.ipynb too
SYSTEMS = ("moodle", "canvas", "ilias")
DEEPEST = 12  # so many folders around a class are looked into
ASK = "nothing was graded. Name what made this export: --form moodle, canvas, ilias or plain"
ENDING = re.compile(r"\.ipynb$|\.(?i:zip)$")
COPY = re.compile(r"(?P<stem>.*?)[ _-]?\((?P<copy>\d+)\)", re.DOTALL)


class Handed(NamedTuple):
    """This is what the name of a file shows about its student and how it was handed in."""

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
        """The name that the student gave the file, without `.ipynb` and `(1)`."""
        stem = self.file.removesuffix(".ipynb")
        return match["stem"] if (match := COPY.fullmatch(stem)) else stem

    @property
    def copy(self) -> int:
        """The number that a system or a browser put after a name that was taken."""
        match = COPY.fullmatch(self.file.removesuffix(".ipynb"))
        return int(match["copy"][:9]) if match else 0


class Layout(NamedTuple):
    """This is the system that made an export, and the folders around all students, with a slash."""

    form: str
    around: str = ""


def layout(names: Sequence[str], said: str = "", is_zip: bool = False, title: str = "") -> Layout:
    """Return the layout of an export, from only those names that the system gave.

    Students choose the names inside their own folders. Therefore a form counts only if all names
    next to each other have it, and the outermost such folder counts.

    Args:
        names: of all files.
        said: the form, if a person has given it.
        is_zip: whether it is a zip, because some programs put a folder around all files in a zip.
        title: the assignment, which distinguishes a file of one student from that of a class.

    Raises:
        ValueError: the names next to each other have several forms, or could have.
    """
    if not said and (hidden := next(filter(ANONYMOUS.fullmatch, names), "")):
        raise ValueError(
            f"{hidden!r} is a file of an anonymous export of Canvas, which does not name the "
            "students: show the names in Canvas and export again, or add --form plain "
            "--trust-cells, so that the id in each first cell counts"
        )
    levels = list(itertools.islice(_levels(names), DEEPEST))
    beside = {around: _beside(names, around) for around in levels}
    if said == "plain":
        return Layout("plain", _of_class(beside, title) if is_zip else "")
    places = [
        Layout(form, around)
        for around in levels
        for form in ([said] if said else SYSTEMS)
        if (who := _named(beside[around], form)) and (said or who == _voters(beside[around]))
    ]
    if said and not places:
        raise ValueError(
            f"--form is {said}, but no folder or file has a name in the form of {said}"
        )
    # The title of an exercise in ILIAS, the folder around all, may look like a student.
    if len(levels) > 1 and places[:1] == [Layout("ilias")]:
        places = [one for one in places[1:] if one.form == "ilias"] or places
    if places[:1] in ([], [Layout("ilias")]):
        _refuse_deep(names)
    if not places:
        return Layout("plain", _in_plain(beside, is_zip, title))
    if places[0].around and not said and places[0].form != "ilias":
        why = f"{places[0].around!r} looks like {places[0].form}, but may belong to one student"
        raise ValueError(f"{why}; {ASK}")
    return places[0]


def _levels(names: Sequence[str]) -> Iterator[str]:
    """Yield "", then the folder that everything is in, then the one inside it and so on."""
    around = ""
    while True:
        yield around
        beside = _beside(names, around)
        folders = [one for one in beside if one.endswith("/")]
        if len(folders) != 1 or _books(beside):
            return
        around += folders[0]


def _beside(names: Sequence[str], around: str) -> frozenset[str]:
    """Return the folders, with a slash, and the files that are next to each other in a folder."""
    inner = [name.removeprefix(around) for name in names if name.startswith(around)]
    return frozenset("".join(name.partition("/")[:2]) for name in inner) - {"", "../"}


def _books(beside: frozenset[str]) -> list[str]:
    return [one for one in beside if one.endswith(".ipynb")]


def _named(beside: frozenset[str], form: str) -> frozenset[str]:
    return frozenset(one for one in beside if read(one, form))


def _voters(beside: frozenset[str]) -> frozenset[str]:
    """Leave out what a person puts next to an export, such as a table."""
    voters = {one for one in beside if one.endswith(("/", ".ipynb"))}
    return frozenset(voters).union(*(_named(beside, form) for form in SYSTEMS))


def _refuse_deep(names: Sequence[str]) -> None:
    """Stop where each notebook is in the folder of a student, but these are not in one folder."""
    books = [name.split("/") for name in names if name.endswith(".ipynb")]
    inner = [
        [p for p in parts[1:-1] if MOODLE.fullmatch(p) or ILIAS.fullmatch(p)] for parts in books
    ]
    if books and all(inner):
        why = f"{inner[0][0]!r} may be the folder of a student inside another folder"
        raise ValueError(f"{why}; {ASK}, or name the folder that contains the students' folders")


def _in_plain(beside: Mapping[str, frozenset[str]], is_zip: bool, title: str) -> str:
    for place, form in itertools.product(beside.values(), SYSTEMS):
        if (odd := _named(place, form)) and (others := _voters(place) - odd):
            said = f"{min(odd)!r} has the form of {form}, but {min(others)!r} does not"
            raise ValueError(f"{said}; {ASK}")
    around = _of_class(beside, title)
    if around and not is_zip and not _books(beside[around]):
        why = f"{around!r} may contain a class or be the folder of one student"
        raise ValueError(
            f"{why}; nothing was graded. Name this folder as SUBMISSIONS, or add --form plain"
        )
    return around if is_zip else ""


def _of_class(beside: Mapping[str, frozenset[str]], title: str) -> str:
    """Return the folders around the students of a class that no system exported."""
    *outer, last = beside
    books = _books(beside[last])
    people = books or [one for one in beside[last] if one.endswith("/")]
    is_class = len(people) > 1 and not any(
        plain(book).stem.removesuffix(EXERCISE) == title for book in books
    )
    return last if is_class or not outer else outer[-1]


def read(name: str, form: str) -> Handed | None:
    """Return what a path below these folders shows, None if it does not have this form."""
    return {"moodle": in_moodle, "canvas": in_canvas, "ilias": in_ilias, "plain": plain}[form](name)


def in_moodle(name: str) -> Handed | None:
    """Read FULLNAME_NUMBER_assignsubmission_file_/FILE, or the same without folders."""
    top, slash, rest = name.partition("/")
    if (match := MOODLE.fullmatch(top)) is None:
        return None
    file = rest.rpartition("/")[2] if slash else match["file"] or ""
    return Handed("moodle", match["label"], match["number"], match["name"], "", file)


def in_canvas(name: str) -> Handed | None:
    """Read NAME_NUMBER_ATTACHMENT_FILE, with LATE after the name of a late file."""
    top, _, rest = name.partition("/")  # a backslash in a file's name looks like a folder
    if (match := CANVAS.fullmatch(top)) is None:
        return None
    label, attachment = f"{match['name']}_{match['number']}", int((match["attachment"] or "0")[:18])
    late, file = match["late"] is not None, rest or match["file"] or match["page"] or ""
    return Handed("canvas", label, match["number"], match["name"], "", file, late, attachment, name)


def in_ilias(name: str) -> Handed | None:
    """Read LASTNAME_FIRSTNAME_LOGIN_NUMBER/FILE."""
    top, slash, rest = name.partition("/")
    if not slash or (match := ILIAS.fullmatch(top)) is None:
        return None
    base = rest.rpartition("/")[2]
    late = LATE_IN_ILIAS.fullmatch(base)
    who, file = f"{match['first']} {match['last']}", late["file"] if late else base
    return Handed("ilias", top, match["number"], who, match["login"], file, bool(late))


def plain(name: str) -> Handed:
    """Read STUDENT/FILE or STUDENT.ipynb; a zip with nothing in it is STUDENT.zip."""
    top, _, rest = name.partition("/")
    if rest:
        return Handed("plain", top, file=rest.rpartition("/")[2])
    stem = ENDING.sub("", top)
    label = match["stem"] if (match := COPY.fullmatch(stem)) and match["stem"] else stem
    return Handed("plain", label, file=top)
