"""What a class handed in: one notebook per student, and a list of all that was not taken."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from exercises.grader import claims, forms, notebook, unpack
from exercises.grader.assignment import Assignment
from exercises.grader.forms import Handed
from exercises.grader.submissions import Submission, shown
from exercises.grader.unpack import LINK, File

HIDDEN = "a hidden file"
UNSEEN = re.compile(r"(?<![^/])(?:\.(?!\.?(?:/|$))|__MACOSX(?:/|$)).*", re.DOTALL)
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
            lost += [file.name] if (is_within and "/" in inner) or _is_notebook(file) else []
    found = [_settle(students[key], folder, assignment, bank, left) for key in sorted(students)]
    if not found:
        raise ValueError(f"{source} holds no submission: no STUDENT/{assignment.name}.ipynb")
    return Intake(folder, found, sorted(left), lost)


def _is_named(handed: Handed, assignment: str) -> bool:
    return handed.stem.removesuffix(forms.EXERCISE) == assignment


def _seen(name: str) -> str:
    """Return a path up to what is hidden in it."""
    return UNSEEN.sub("", name)


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
        if one not in books and (one.file.problem or not one.file.name.endswith("/")):
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
