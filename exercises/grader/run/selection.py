"""Select the cells of a submission that run: the student's own and the instructor's helpers.

A grade_id of the student decides only which cells are copies of the instructor's. Of the other
cells only the names count that they define, at any place.
"""

import unicodedata
from collections import Counter
from enum import Enum
from typing import NamedTuple

from exercises.grader.intake import drawn, versions
from exercises.grader.intake.assignment import Assignment, squeeze
from exercises.grader.intake.notebook import Cell


class Role(Enum):
    """This is the author or the role of a cell."""

    HELPER = "helper"  # the instructor's, in front of all
    OWN = "own"
    EXAMPLE = "example"  # given to the student without a mark
    CHECK = "check"  # the visible part of a test, where the student's copy of it stands


class Code(NamedTuple):
    """A cell to run: its name in messages, its text, its role, the task that it claims to be of."""

    label: str
    text: str
    role: Role = Role.OWN
    task: str = ""


class Selection(NamedTuple):
    """The cells to run and what was odd about the notebook."""

    cells: tuple[Code, ...]
    own: tuple[str, ...]
    notes: tuple[str, ...]
    version: int  # that it was made for
    named: int  # the version that it names, which somebody may have changed
    assignment: Assignment  # with the cells of this version


def select(assignment: Assignment, cells: list[Cell], student: str) -> Selection:
    """Put the instructor's helpers first, and replace the copies of checks by the instructor's."""
    if assignment.is_composed:
        # Some systems take letters with accents apart, in the student's copies of helpers too.
        cells = [cell._replace(text=unicodedata.normalize("NFC", cell.text)) for cell in cells]
    # A helper may draw the numbers of a task from the id; the student's own cell comes later.
    named = drawn.version_of(cells, assignment.version)
    version = named and versions.shown(assignment, cells, named)
    assignment = assignment.of(version)
    front = [Code("the student id", f"STUDENT_ID = {student!r}", Role.HELPER)]
    front += [
        Code(f"the helper cell {cell.grade_id}", cell.text, Role.HELPER)
        for cell in assignment.helpers
    ]
    made = [_code(assignment, number, cell) for number, cell in enumerate(cells, 1)]
    kept = [code for code in made if code is not None and code.text.strip()]
    return Selection(
        cells=tuple(front + kept),
        own=tuple(code.text for code in kept if code.role is Role.OWN),
        notes=tuple(_notes(assignment, cells)),
        version=version,
        named=named,
        assignment=assignment,
    )


def _code(assignment: Assignment, number: int, cell: Cell) -> Code | None:
    label = f"code cell {number}"
    given = assignment.given.get(squeeze(cell.text))
    name = cell.grade_id if cell.grade_id in assignment.locked else given
    if name is None:
        is_task = any(task.cell == cell.grade_id for task in assignment.tasks)
        if is_task:
            return Code(f"your cell {cell.grade_id}", cell.text, Role.OWN, cell.grade_id)
        return Code(label, cell.text, Role.OWN)
    if not name:
        return Code(label, cell.text, Role.EXAMPLE)
    for task in assignment.tasks:
        if name == task.check:
            return Code(label, assignment.locked[name].text, Role.CHECK, task.cell)
    return None  # a copy of a helper


def _notes(assignment: Assignment, cells: list[Cell]) -> list[str]:
    notes = []
    counts = Counter(cell.grade_id for cell in cells if cell.grade_id)
    wanted = dict.fromkeys(task.cell for task in assignment.tasks)
    for name, cell in assignment.locked.items():
        copies = [copy for copy in cells if copy.grade_id == name]
        if not copies:
            notes.append(f"the cell {name} is missing, so the cell of the instructor was used")
        elif any(squeeze(copy.text) != squeeze(cell.text) for copy in copies):
            notes.append(f"the cell {name} differs from the cell of the instructor, which was used")
        if any(copy.points != cell.points for copy in copies):
            notes.append(
                f"the points of {name} were changed, so the points of the instructor count"
            )
    for name in wanted:
        if counts[name] > 1:
            notes.append(f"{counts[name]} cells are called {name}, so they ran one after the other")
        if not counts[name]:
            notes.append(
                f"no cell is called {name}, so the definitions of the other cells were used"
            )
    return notes
