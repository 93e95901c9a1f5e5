"""Which tasks depend on the student's id: those whose numbers are drawn from it."""

import ast
from collections.abc import Iterable

STUDENT_ID = "STUDENT_ID"


def names_from_id(helpers: Iterable[str]) -> frozenset[str]:
    """Return all names at the top of these cells whose values depend on the student's id."""
    drawn, lines = {STUDENT_ID}, [node for text in helpers for node in ast.parse(text).body]
    while True:
        new = {name for node in lines if _read(node) & drawn for name in _made(node)} - drawn
        if not new:
            return frozenset(drawn)
        drawn |= new


def depends(check: str, drawn: frozenset[str]) -> bool:
    """Say whether a check reads one of these names."""
    return bool(_read(ast.parse(check)) & drawn)


def _read(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _made(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    return {part.id for part in names if isinstance(part.ctx, ast.Store)}
