"""Which cells of a submission run: the student's own, beside the instructor's helpers.

A grade_id of the student decides nothing but which cells are copies of the instructor's; those are
left out. What counts in the end is which names the rest defines, wherever it stands.
"""

import re
from collections import Counter
from typing import NamedTuple

from exercises.grader.assignment import Assignment, squeeze
from exercises.grader.notebook import Cell

CLAIM = re.compile(r"""^STUDENT_ID\s*=\s*["']([^"'\n]*)["']""", re.MULTILINE)


class Code(NamedTuple):
    """A cell to run: its name in messages, its text, the task whose solution it claims to be."""

    label: str
    text: str
    task: str = ""
    is_helper: bool = False


class Selection(NamedTuple):
    """The cells to run and what was odd about the notebook."""

    cells: tuple[Code, ...]
    own: tuple[str, ...]
    claimed: str | None
    notes: tuple[str, ...]


def select(assignment: Assignment, cells: list[Cell], student: str) -> Selection:
    """Leave out copies of the instructor's cells and put the originals of the helpers in front."""
    texts = [cell.text for cell in cells]
    own = [
        (number, cell)
        for number, cell in enumerate(cells, 1)
        if cell.grade_id not in assignment.locked and squeeze(cell.text) not in assignment.given
    ]
    # A helper may draw the numbers of a task from the id; the student's own cell comes later.
    helpers = [Code("the student id", f"STUDENT_ID = {student!r}", is_helper=True)]
    helpers += [
        Code(f"the helper cell {cell.grade_id}", cell.text, is_helper=True)
        for cell in assignment.helpers
    ]
    tasks = {task.name for task in assignment.tasks}
    named = [_code(number, cell, tasks) for number, cell in own if cell.text.strip()]
    return Selection(
        cells=tuple(helpers + named),
        own=tuple(cell.text for _, cell in own),
        claimed=next((found[-1] for text in texts if (found := CLAIM.findall(text))), None),
        notes=tuple(_notes(assignment, cells)),
    )


def _code(number: int, cell: Cell, tasks: set[str]) -> Code:
    label = f"code cell {number}" + (f" ({cell.grade_id[:60]})" if cell.grade_id else "")
    return Code(label, cell.text, cell.grade_id if cell.grade_id in tasks else "")


def _notes(assignment: Assignment, cells: list[Cell]) -> list[str]:
    notes = []
    counts = Counter(cell.grade_id for cell in cells if cell.grade_id)
    wanted = [task.name for task in assignment.tasks]
    for name, cell in assignment.locked.items():
        copies = [copy for copy in cells if copy.grade_id == name]
        if not copies:
            notes.append(f"the cell {name} is missing; the instructor's was used")
        elif any(squeeze(copy.text) != squeeze(cell.text) for copy in copies):
            notes.append(f"the cell {name} was edited; the instructor's was used")
        if any(copy.points != cell.points for copy in copies):
            notes.append(f"the points of {name} were changed; the instructor's count")
    for name in wanted:
        if counts[name] > 1:
            notes.append(f"{counts[name]} cells are called {name}; they ran in their order")
        if not counts[name]:
            notes.append(f"no cell is called {name}; what the other cells define was used")
    return notes
