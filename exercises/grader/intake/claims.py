"""Find the student and the assignment of a notebook without parsing it.

This runs in the command itself, for every submission and before any is graded. A hostile file can
make a parser slow or large, but not a search for two short patterns.
"""

import functools
import itertools
import json
import re
import unicodedata
from collections.abc import Set
from pathlib import Path
from typing import NamedTuple

from exercises.grader.intake import source
from exercises.grader.intake.assignment import Assignment
from exercises.grader.sandboxed.limits import CELLS

LETTER = rb"(?:[^\"'\\]|\\u[0-9a-fA-F]{4})"
STUDENT = re.compile(
    rb"(?:\"|\\n)STUDENT_ID[ \t]*=[ \t]*(?:\\\"(" + LETTER + rb"{0,200})\\\"|"
    rb"'(" + LETTER + rb"{0,200})'|([1-9][0-9]{0,40})(?![0-9.]))"
)
GRADE_ID = re.compile(rb'"grade_id"\s*:\s*"([^"\\]{1,100})"')
PLACES = 20  # how many lines that set the id are looked at


class Claim(NamedTuple):
    """This is the student id in a notebook and the name of its assignment, "" if unknown."""

    student: str
    assignment: str


def claim(raw: bytes, assignment: Assignment, bank: Path) -> Claim:
    """Return the student id and the assignment that a notebook contains."""
    return Claim(student_of(raw), assignment_of(_ids_in(raw), assignment, bank))


def student_of(raw: bytes) -> str:
    """Return the first student id that is set in a notebook and not empty."""
    for match in itertools.islice(STUDENT.finditer(raw), PLACES):
        text = next(group for group in match.groups() if group is not None)
        try:
            name = json.loads(b'"' + text + b'"')
        except ValueError:
            continue
        if name.strip():
            # A lone surrogate has no letter; composed, as the cells are before they run.
            whole: str = name.encode("utf-8", "replace").decode("utf-8")
            return unicodedata.normalize("NFC", whole)
    return ""


def assignment_of(found: Set[str], assignment: Assignment, bank: Path) -> str:
    """Return the assignment in the bank that shares most cells with a notebook."""
    own = frozenset(assignment.locked) | {task.cell for task in assignment.tasks}
    shared = len(found & own)
    if 2 * shared >= len(own):
        return assignment.name
    others = {name: len(found & ids) for name, ids in _ids(bank).items() if name != assignment.name}
    best = max(others, key=others.__getitem__, default="")
    if best and others[best] > shared:
        return best
    return assignment.name if shared else ""


def most_like(raw: bytes, bank: Path) -> str:
    """Return the assignment that shares at least half of its cells with a notebook, "" if none."""
    found = _ids_in(raw)
    shared = {name: len(found & ids) for name, ids in _ids(bank).items() if ids}
    best = max(shared, key=shared.__getitem__, default="")
    return best if best and 2 * shared[best] >= len(_ids(bank)[best]) else ""


@functools.cache
def _ids(bank: Path) -> dict[str, frozenset[str]]:
    return {folder.name: _ids_of(folder) for folder in source.assignments(bank)}


def _ids_of(folder: Path) -> frozenset[str]:
    try:
        return _ids_in(json.dumps(source.read(source.path_of(folder))).encode())
    except ValueError:
        return frozenset()  # it is not the one to be graded, and its own author's to mend


def _ids_in(raw: bytes) -> frozenset[str]:
    found = itertools.islice(GRADE_ID.finditer(raw), CELLS)
    return frozenset(match[1].decode("utf-8", "replace") for match in found)
