"""The instructor's own answers, and none at all, as notebooks that could have been handed in."""

import json
import re
from collections.abc import Iterable

from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.notebook import Cell

SOLUTION = re.compile(
    r"^(?P<indent>[ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
ID = re.compile(r"^STUDENT_ID = .*$", re.MULTILINE)


def solved(assignment: Assignment, student: str) -> list[Cell]:
    """Return the cells of a student who has the instructor's own solutions."""
    line = f"STUDENT_ID = {student!r}"
    return [cell._replace(text=ID.sub(lambda _: line, cell.text)) for cell in assignment.cells]


def empty(assignment: Assignment, student: str) -> list[Cell]:
    """Return the cells of a student who has written nothing, as the release has them."""
    tasks = {task.cell for task in assignment.tasks}
    return [
        cell._replace(text=without_solution(cell)) if cell.grade_id in tasks else cell
        for cell in solved(assignment, student)
    ]


def without_solution(cell: Cell) -> str:
    """Return the text of a solution cell with a stub in place of the marked lines."""
    stub = f'raise NotImplementedError("{cell.grade_id} is not yet written")'
    text, count = SOLUTION.subn(lambda match: match["indent"] + stub, cell.text)
    return text if count else stub


def notebook_of(cells: Iterable[Cell]) -> str:
    """Return a notebook with these code cells."""
    made = [
        {
            "cell_type": "code",
            "metadata": {"nbgrader": {"grade_id": cell.grade_id, "points": cell.points}},
            "source": cell.text,
        }
        for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
