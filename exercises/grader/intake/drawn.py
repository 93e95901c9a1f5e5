"""Find the tasks that depend on the student's id, because their numbers are drawn from it."""

import ast
import re
from collections.abc import Iterable

from exercises.grader.intake.notebook import Cell

STUDENT_ID = "STUDENT_ID"
DRAWN_FROM = "DRAWN_FROM"  # what the helpers draw from in the place of the id
DEFINITION = (ast.FunctionDef, ast.ClassDef)
DEALS = ("deal", "deal_each")
VERSION = re.compile(r"^VERSION = (\d{1,4})\b", re.MULTILINE)
NUMBERED = 5  # the first version with a number: a later one changes cells, and no rule


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


def version_of(cells: Iterable[Cell], present: int) -> int:
    """Return the version that a notebook was made for.

    The versions before the fifth had no number. A notebook without helpers counts as the present
    version, because a student who deletes a cell would otherwise get the letters that were once
    the same for everybody.
    """
    release = "\n".join(cell.text for cell in cells)
    if "def draw_for(" not in release:
        return present
    marks = (*(f"{deals}(" for deals in DEALS), DRAWN_FROM)
    return version_in(cells) or 1 + sum(mark in release for mark in marks)


def is_older(version: int, present: int) -> bool:
    """Return whether a version lacks rules of the present one."""
    return version < min(present, NUMBERED)


def undealt(helpers: Iterable[str], cells: Iterable[Cell]) -> frozenset[str]:
    """Return the names of letters that these helpers deal and that an earlier release gave."""
    release = "\n".join(cell.text for cell in cells)
    earlier = {deals for deals in DEALS if f"{deals}(" not in release}
    lines = [node for text in helpers for node in ast.parse(text).body]
    own = (line for line in lines if not isinstance(line, ast.FunctionDef))
    return frozenset(name for line in own if loaded(line) & earlier for name in stored(line))


def is_of_earlier_rule(helpers: Iterable[Cell], cells: Iterable[Cell]) -> bool:
    """Return whether these cells are of a release that drew from an id closer to the typed text."""
    release = "\n".join(cell.text for cell in cells)
    is_known = any(DRAWN_FROM in cell.text for cell in helpers)
    return is_known and "def draw_for(" in release and DRAWN_FROM not in release


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
