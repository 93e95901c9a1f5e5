"""Which folded cells of a page draw what a visible cell has computed, so that they run after it."""

import ast
from collections.abc import Iterator, Sequence

from book.live.torch_cells import names
from book.text.shown_cells import FOLDED, REMOVED, Cell, source, tags

OTHERS = {"questions", "ledger", "course"}
"""What asks, or quotes the notes or the library, and draws no value of a cell."""


def drawings(cells: Sequence[Cell]) -> dict[str, list[str]]:
    """The ids of the drawing cells of each visible cell, by its id.

    A drawing cell has its code folded or left out, stands below its visible cell and above the next
    one, and takes a name that the visible cell or another of its drawings leaves or takes.
    """
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    last, modules = "", set[str]()
    for cell in cells:
        tree = ast.parse(source(cell))
        taken, left = names(tree)
        modules |= set(imported(tree))
        if not tags(cell) & (FOLDED | REMOVED):
            last, seen, found[cell["id"]] = cell["id"], taken | left, []
        elif last and draws(cell, taken) and (taken & seen) - modules:
            found[last].append(cell["id"])
            seen |= left
    return found


def draws(cell: Cell, taken: set[str]) -> bool:
    """Whether a cell without visible code draws, and neither asks nor checks."""
    return (
        "remove-cell" not in tags(cell)
        and "nbgrader" not in cell["metadata"]
        and not OTHERS & taken
    )


def imported(tree: ast.Module) -> Iterator[str]:
    """The names that the imports of a cell bind."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
