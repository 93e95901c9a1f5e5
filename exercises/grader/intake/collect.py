"""Collect one notebook per student, and list all files that are not taken."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import plain_id
from exercises.grader.intake import claims, forms, notebook, unpack
from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.forms import Handed
from exercises.grader.intake.submissions import Submission, shown
from exercises.grader.intake.unpack import LINK, File

HIDDEN = "a hidden file"
UNSEEN = re.compile(r"(?<![^/])(?:\.(?!\.?(?:/|$))|__MACOSX(?:/|$)).*", re.DOTALL)
MINUTE = 60  # files unpacked within one have no order of their own


class Left(NamedTuple):
    """This is a file that is not graded, with the reason."""

    name: str
    why: str


class Found(NamedTuple):
    """This is a submission whose student is not yet settled, with the id in its notebook."""

    submission: Submission
    claimed: str


class Candidate(NamedTuple):
    """This is a notebook that may be the one to grade."""

    file: File
    handed: Handed
    student: str = ""
    assignment: str = ""
    flag: str = ""

    @property
    def order(self) -> tuple[int, int, int, str]:
        """The key by which attempts are sorted; a later attempt has a greater key."""
        minutes = round(self.file.time / MINUTE)
        return self.handed.attachment, minutes, self.handed.copy, self.file.name


class Intake(NamedTuple):
    """This is what was found: the notebooks, the files not taken, and those that may be work."""

    folder: Path
    found: list[Found]
    left: list[Left]
    lost: list[str]  # files that some student may have handed in, but nothing says who
    claimed: Mapping[str, str]  # a file for each id, in its plain form, that any notebook holds


def find(source: Path, assignment: Assignment, bank: Path, into: Path, form: str = "") -> Intake:
    """Return one submission per student, in the order of their names.

    Raises:
        ValueError: there is no such folder or zip, it contains no submission, or its names do not
            show which system made it.
    """
    folder, files = unpack.listed(source, into)
    form, around = forms.layout(
        [_seen(file.name) for file in files], form, source.is_file(), assignment.name
    )
    students: dict[str, list[Candidate]] = {}
    left, lost = [], []
    # Whose files are all hidden has handed in something, so these come last.
    for file in sorted(files, key=lambda file: _seen(file.name) != file.name):
        is_within, inner = file.name.startswith(around), file.name.removeprefix(around)
        handed = forms.read(_seen(inner), form) if is_within else None
        key = unicodedata.normalize("NFC", handed.label) if handed else ""
        one = Candidate(file._replace(name=inner), handed or Handed())
        if _seen(inner) != inner:
            left.append(Left(file.name, HIDDEN))
            hidden = one._replace(file=one.file._replace(problem=HIDDEN))
            students |= {key: [hidden]} if key and key not in students else {}
        elif key and _is_of_someone(one.file, form):
            students.setdefault(key, []).append(one)
        else:
            left.append(Left(file.name, _why_nobodys(file, form)))
            is_work = (is_within and "/" in inner) or _is_notebook(file) or _is_zip(file)
            lost += [file.name] if is_work else []
    known = {
        key: [_with_claim(one, folder, assignment, bank) for one in each]
        for key, each in students.items()
    }
    claimed = {plain_id(one.student): one.file.name for each in known.values() for one in each}
    found = [one for key in sorted(students) for one in _settle(known[key], assignment, left)]
    if not found:
        raise ValueError(
            f"{source} contains no submission: there is no STUDENT/{assignment.name}.ipynb"
        )
    return Intake(folder, found, sorted(left), lost, claimed)


def _seen(name: str) -> str:
    """Return a path up to what is hidden in it."""
    return UNSEEN.sub("", name)


def _is_of_someone(file: File, form: str) -> bool:
    return "/" in file.name or form != "plain" or _is_notebook(file) or _is_zip(file)


def _is_zip(file: File) -> bool:
    """Return whether this is a zip that could not be opened, or with nothing in it."""
    return bool(unpack.ZIP.search(file.name))


def _why_nobodys(file: File, form: str) -> str:
    if file.problem:
        return file.problem
    return "not a notebook" if form == "plain" else f"its name is not of the form that {form} gives"


def _settle(handed_in: list[Candidate], assignment: Assignment, left: list[Left]) -> list[Found]:
    """Choose the notebook of each student with this label; say what became of the rest."""
    books = [one for one in handed_in if _is_notebook(one.file)]
    for one in handed_in:
        if one not in books and (one.file.problem or not one.file.name.endswith("/")):
            left.append(Left(one.file.name, one.file.problem or "not a notebook"))
    foreign = [one for one in books if one.assignment not in ("", assignment.name)]
    own = [one for one in books if one.assignment == assignment.name]
    rest = [one for one in books if not one.assignment]
    named = [one for one in rest if one.handed.stem.removesuffix(forms.EXERCISE) == assignment.name]
    # Of an unreadable notebook nobody knows what it is; under the right name it is an attempt.
    attempts = sorted([*own, *named] or rest, key=lambda one: one.order)
    for one in foreign:
        left.append(Left(one.file.name, f"it is the assignment {one.assignment}"))
    for one in rest:
        if one not in attempts:
            left.append(Left(one.file.name, f"it contains no cell of {assignment.name}"))
    if not attempts:
        return [_without(handed_in, foreign, assignment.name)]
    return [_taken(each, left) for each in _people(attempts, assignment.name)]


def _people(attempts: list[Candidate], assignment: str) -> list[list[Candidate]]:
    """Part the attempts by the ids that they hold, where no system says that they are of one."""
    label = attempts[0].handed.label
    is_title = label.removesuffix(forms.EXERCISE) == assignment  # this names no student
    several = len(_ids(attempts)) > 1
    if attempts[0].handed.form != "plain" or not (several or is_title):
        return [attempts]
    people: dict[str, list[Candidate]] = {}
    for one in attempts:
        people.setdefault(plain_id(one.student) or f"the file {one.file.name}", []).append(one)
    if len(people) == 1:
        return [attempts]
    # Who the label names keeps it; the others are called as the file that counts.
    return [each if key == plain_id(label) else _renamed(each) for key, each in people.items()]


def _ids(attempts: Iterable[Candidate]) -> dict[str, str]:
    """Return each id in these notebooks as it is typed first, by its plain form."""
    return {plain_id(one.student): one.student for one in attempts if one.student}


def _renamed(attempts: list[Candidate]) -> list[Candidate]:
    newest = attempts[-1].file.name
    flag = f"{attempts[-1].handed.label!r} contains notebooks of several students"
    label = [one.handed._replace(label=newest) for one in attempts]
    return [
        one._replace(handed=handed, flag=flag) for one, handed in zip(attempts, label, strict=True)
    ]


def _is_notebook(file: File) -> bool:
    return file.name.endswith(".ipynb") or ("/" not in file.name and file.problem == LINK)


def _with_claim(one: Candidate, folder: Path, assignment: Assignment, bank: Path) -> Candidate:
    if one.file.problem or not one.file.inside or not _is_notebook(one.file):
        return one
    try:
        raw = notebook.read_bytes(folder, one.file.inside)
    except notebook.Unreadable:
        return one
    said = claims.claim(raw, assignment, bank)
    return one._replace(student=said.student, assignment=said.assignment)


def _without(handed_in: list[Candidate], foreign: Iterable[Candidate], name: str) -> Found:
    first = handed_in[0]
    problem = f"there is no notebook of {name}"
    if others := sorted({one.assignment for one in foreign}):
        problem += f"; the notebook is of another assignment, {', '.join(others)}"
    odd = [f"{shown(one.file.name)!r}: {one.file.problem}" for one in handed_in if one.file.problem]
    problem = "; ".join([problem, *odd])
    student = next((one.student for one in foreign if one.student), "")
    return Found(_submission(first, problem), student)


def _taken(attempts: list[Candidate], left: list[Left]) -> Found:
    *earlier, newest = attempts
    made, file = _submission(newest, newest.file.problem), newest.file.name
    flags, notes = [newest.flag] if newest.flag else [], []
    for one in earlier:
        is_other = plain_id(one.student) not in ("", plain_id(newest.student))
        what = f"it contains the id {one.student!r}" if is_other else "an earlier attempt"
        left.append(Left(one.file.name, f"{what}; {file} counts"))
    if len(ids := _ids(attempts)) > 1:
        flags.append(f"notebooks with the ids {', '.join(map(repr, ids.values()))}; {file} counts")
    if earlier:
        names = ", ".join(shown(one.handed.file) for one in earlier)
        notes.append(
            f"you handed in {shown(newest.handed.file)} last, so it counts and {names} does not"
        )
    if newest.handed.late:
        flags.append("handed in late")
        notes.append("handed in late")
    before = tuple(_submission(one, one.file.problem) for one in earlier)
    made = made._replace(flags=tuple(map(shown, flags)), notes=tuple(notes), earlier=before)
    return Found(made, newest.student)


def _submission(one: Candidate, problem: str) -> Submission:
    name = shown(one.handed.label)
    inside = one.file.inside or one.file.name
    return Submission(name, inside, problem, one.handed, one.file.name)
