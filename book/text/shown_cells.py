"""What a reader sees of the code of a chapter, and whether it can be run and read."""

import ast
import builtins
from pathlib import Path
from typing import Any

from book.live.torch_cells import names
from book.text import prose

REMOVED = {"remove-input", "remove-cell"}
FOLDED = {"hide-input", "hide-cell"}
LINES, COLUMNS = 25, 78

Cell = dict[str, Any]


def code_cells(path: Path) -> list[Cell]:
    """The code cells of a notebook."""
    return [cell for cell in prose.read(path)["cells"] if cell["cell_type"] == "code"]


def tags(cell: Cell) -> set[str]:
    """The tags of a cell."""
    return set(cell["metadata"].get("tags", []))


def shown(path: Path) -> list[Cell]:
    """The cells whose code a reader of the page sees, at once or by unfolding it."""
    return [cell for cell in code_cells(path) if not tags(cell) & REMOVED]


def visible(path: Path) -> list[Cell]:
    """The cells whose code a reader sees at once."""
    return [cell for cell in shown(path) if not tags(cell) & FOLDED]


def source(cell: Cell) -> str:
    """The code or the text of a cell."""
    return "".join(cell["source"])


def hidden_names(path: Path) -> list[str]:
    """The names that a cell uses and no cell above it shows."""
    at_once, unfolded, missing = set(dir(builtins)), set[str](), []
    for cell in shown(path):
        folded = bool(tags(cell) & FOLDED)
        used, own = names(ast.parse(source(cell)))
        unknown = used - own - at_once - (unfolded if folded else set())
        missing += [
            f"cell {cell['id']} uses {name}, which no cell above it shows"
            for name in sorted(unknown)
        ]
        (unfolded if folded else at_once).update(own)
    return missing


def too_long(path: Path) -> list[str]:
    """The cells that do not fit on a page."""
    found = []
    for cell in shown(path):
        lines = source(cell).splitlines()
        if len(lines) > LINES:
            found.append(f"cell {cell['id']} has {len(lines)} lines: at most {LINES}")
        found += [
            f"cell {cell['id']} has a line of {len(line)} columns, at most {COLUMNS}: {line}"
            for line in lines
            if len(line) > COLUMNS
        ]
    return found
