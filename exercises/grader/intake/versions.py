"""Tell by the cells of a notebook which version of an assignment it shows."""

from collections.abc import Iterable

from exercises.grader.intake.assignment import Assignment, squeeze
from exercises.grader.intake.drawn import VERSION
from exercises.grader.intake.notebook import Cell

MAY_DIFFER = ("helpers", "digests")  # within a version


def shown(assignment: Assignment, cells: Iterable[Cell], named: int) -> int:
    """Return the version of which a notebook shows all given cells, else the one that it names.

    Only the cells that tell the versions apart count, and not the number in them: a student may
    have changed it.
    """
    texts = {_plain(cell.text) for cell in cells}
    every = (assignment, *assignment.earlier.values())
    given = {each.version: _given(each) for each in every}
    shared = set.intersection(*given.values()) if len(given) > 1 else set()
    own = {version: texts_then - shared for version, texts_then in given.items()}
    found = [version for version, then in own.items() if then and then <= texts]
    return found[0] if len(found) == 1 else named


def _given(assignment: Assignment) -> set[str]:
    """Return the texts of the given cells of one version."""
    given = [cell for cell in assignment.helpers if cell.grade_id not in MAY_DIFFER]
    return {_plain(cell.text) for cell in given}


def _plain(text: str) -> str:
    return squeeze(VERSION.sub("", text))
