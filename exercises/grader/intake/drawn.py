"""Find the tasks that depend on the student's id, because their numbers are drawn from it."""

import ast
import re
from collections.abc import Iterable, Sequence

from exercises.grader.intake.notebook import Cell

STUDENT_ID = "STUDENT_ID"
DEFINITION = (ast.FunctionDef, ast.ClassDef)
VERSION = re.compile(r"^VERSION = (\d{1,4})\b", re.MULTILINE)


def names_from_id(helpers: Iterable[str]) -> frozenset[str]:
    """Return all names at the top of these cells whose values depend on the student's id."""
    drawn, lines = {STUDENT_ID}, [node for text in helpers for node in ast.parse(text).body]
    while True:
        new = {name for node in lines if _read(node) & drawn for name in _made(node)} - drawn
        if not new:
            return frozenset(drawn)
        drawn |= new


def version_in(cells: Iterable[Cell]) -> int:
    """Return the largest version that one of these cells names, 0 if none does."""
    return max((int(n) for cell in cells for n in VERSION.findall(cell.text)), default=0)


def version_of(cells: Sequence[Cell], present: int) -> int:
    """Return the version that a notebook names, 0 if it has our helpers and names none.

    A notebook without helpers counts as one of the present version, and so does each of a bank
    that names none.
    """
    if not present or not any("def draw_for(" in cell.text for cell in cells):
        return present
    return version_in(cells)


def depends(check: str, drawn: frozenset[str]) -> bool:
    """Return whether a check reads one of these names and does not define it itself."""
    nodes = ast.parse(check)
    return bool((loaded(nodes) - stored(nodes)) & drawn)


def _read(node: ast.stmt) -> set[str]:
    own = stored(node) if isinstance(node, DEFINITION) else set()
    return loaded(node) - own


def _made(node: ast.stmt) -> set[str]:
    return {node.name} if isinstance(node, DEFINITION) else stored(node)


def loaded(node: ast.AST) -> set[str]:
    """Return the names that are read anywhere in this code."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    return {part.id for part in names if isinstance(part.ctx, ast.Load)}


def stored(node: ast.AST) -> set[str]:
    """Return the names that are set anywhere in this code, arguments included."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    arguments = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return {part.id for part in names if isinstance(part.ctx, ast.Store)} | arguments
