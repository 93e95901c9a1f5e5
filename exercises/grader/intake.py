"""What a class handed in: one notebook per student, and a list of all that was not taken."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from exercises.grader import claims, forms, notebook, unpack
from exercises.grader.assignment import Assignment
from exercises.grader.forms import Handed
from exercises.grader.submissions import Submission, shown
from exercises.grader.unpack import LINK, File

MINUTE = 60  # files unpacked within one have no order of their own


class Left(NamedTuple):
    """A file that is not graded, and why."""

    name: str
    why: str


class Found(NamedTuple):
    """A submission whose student is not yet settled, and the id that its notebook holds."""

    submission: Submission
    claimed: str


class Candidate(NamedTuple):
    """A notebook that may be the one to grade."""

    file: File
    handed: Handed
    student: str = ""
    assignment: str = ""

    @property
    def order(self) -> tuple[int, int, int, str]:
        """Later is greater."""
        minutes = round(self.file.time / MINUTE)
        return self.handed.attachment, minutes, self.handed.copy, self.file.name


class Intake(NamedTuple):
    """Where the notebooks lie, whose they are, what was not taken, and what of that may be work."""

    folder: Path
    found: list[Found]
    left: list[Left]
    lost: list[str]  # files that some student may have handed in, but nothing says who


def find(source: Path, assignment: Assignment, bank: Path, into: Path, form: str = "") -> Intake:
    """Return one submission per student, in the order of their names.

    Raises:
        ValueError: there is no such folder or zip, nothing in it looks like a submission, or its
            names do not say which system made it.
    """
    folder, files = unpack.listed(source, into)
    left = [Left(file.name, "a hidden file") for file in files if _is_hidden(file)]
    files = [file for file in files if not _is_hidden(file)]
    names = [file.name for file in files]
    form, around = forms.layout(names, form, source.is_file(), assignment.name)
    students: dict[str, list[Candidate]] = {}
    lost = []
    for file in files:
        inner = file._replace(name=file.name.removeprefix(around))
        handed = forms.read(inner.name, form) if file.name.startswith(around) else None
        if handed is None or not _is_of_someone(inner, form):
            left.append(Left(file.name, _why_nobodys(file, form)))
            is_inside = file.name.startswith(around) and "/" in inner.name
            lost += [file.name] if is_inside or _is_notebook(file) else []
            continue
        key = unicodedata.normalize("NFC", handed.label)
        students.setdefault(key, []).append(Candidate(inner, handed))
    found = [_settle(students[key], folder, assignment, bank, left) for key in sorted(students)]
    if not found:
        raise ValueError(f"{source} holds no submission: no STUDENT/{assignment.name}.ipynb")
    return Intake(folder, found, sorted(left), lost)


def _is_named(handed: Handed, assignment: str) -> bool:
    return handed.stem.removesuffix(forms.EXERCISE) == assignment


def _is_hidden(file: File) -> bool:
    parts = file.name.rstrip("/").split("/")
    return any((part.startswith(".") and part != "..") or part == "__MACOSX" for part in parts)


def _is_of_someone(file: File, form: str) -> bool:
    return "/" in file.name or form != "plain" or _is_notebook(file)


def _why_nobodys(file: File, form: str) -> str:
    if file.problem:
        return file.problem
    return "not a notebook" if form == "plain" else f"its name is none that {form} gives"


def _settle(
    handed_in: list[Candidate], folder: Path, assignment: Assignment, bank: Path, left: list[Left]
) -> Found:
    """Choose the notebook of one student and say what became of the rest."""
    books = [one for one in handed_in if _is_notebook(one.file)]
    for one in handed_in:
        if one not in books and not one.file.name.endswith("/"):
            left.append(Left(one.file.name, one.file.problem or "not a notebook"))
    known = [_with_claim(one, folder, assignment, bank) for one in books]
    foreign = [one for one in known if one.assignment not in ("", assignment.name)]
    own = [one for one in known if one.assignment == assignment.name]
    rest = [one for one in known if not one.assignment]
    named = [one for one in rest if _is_named(one.handed, assignment.name)]
    # Of an unreadable notebook nobody knows what it is; under the right name it is an attempt.
    attempts = sorted([*own, *named] or rest, key=lambda one: one.order)
    for one in foreign:
        left.append(Left(one.file.name, f"it is the assignment {one.assignment}"))
    for one in rest:
        if one not in attempts:
            left.append(Left(one.file.name, f"it holds no cell of {assignment.name}"))
    if not attempts:
        return _without(handed_in, foreign, assignment.name)
    *earlier, newest = attempts
    for one in earlier:
        left.append(Left(one.file.name, f"an earlier attempt; {newest.file.name} counts"))
    return _taken(newest, earlier)


def _is_notebook(file: File) -> bool:
    return file.name.endswith(".ipynb") or ("/" not in file.name and file.problem == LINK)


def _with_claim(one: Candidate, folder: Path, assignment: Assignment, bank: Path) -> Candidate:
    if one.file.problem or not one.file.inside:
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
    student = next((one.student for one in foreign if one.student), "")
    return Found(_submission(first, problem), student)


def _taken(newest: Candidate, earlier: list[Candidate]) -> Found:
    made = _submission(newest, newest.file.problem)
    if earlier:
        names = ", ".join(shown(one.handed.file) for one in earlier)
        file = shown(newest.handed.file)
        made = made._replace(notes=(f"you handed in {file} last, so it counts, not {names}",))
    if newest.handed.late:
        made = made._replace(flags=("handed in late",), notes=(*made.notes, "handed in late"))
    return Found(made, newest.student)


def _submission(one: Candidate, problem: str) -> Submission:
    name = shown(one.handed.label)
    return Submission(name, one.file.inside or one.file.name, problem, one.handed)
