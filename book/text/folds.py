"""Which cells of a chapter draw: their code is folded in the page and in JupyterLab."""

import ast
from pathlib import Path
from typing import Any

import nbformat

from book.text.shown_cells import FOLDED, REMOVED, source, tags

GALLERY = "gallery"
TAGS = {
    "plot": "hide-input",
    "widgets": "hide-input",
    "questions": "remove-input",
    "course.here": "remove-input",
    "ledger.show": "remove-input",
}
"""The tag of a cell by the module or the function that it calls last."""


def tag(code: str) -> str:
    r"""The tag of a cell whose last expression draws or poses a question, or nothing.

    >>> tag("x = 1\nplot.table(x)"), tag("plot.table(x)\nx"), tag("course.setup()")
    ('hide-input', '', '')
    """
    match ast.parse(code).body:
        case [*_, ast.Expr(ast.Call(func=called))]:
            name = ast.unparse(called)
            return TAGS.get(name) or TAGS.get(name.partition(".")[0], "")
    return ""


def fold(cell: dict[str, Any]) -> None:
    """Fold the code of a cell that draws; in JupyterLab also of a cell that a page removes."""
    drawing = tag(source(cell)) if cell["cell_type"] == "code" else ""
    if drawing and not tags(cell) & (FOLDED | REMOVED):
        cell["metadata"]["tags"] = [drawing, *cell["metadata"].get("tags", [])]
    if drawing or tags(cell) & REMOVED:
        cell["metadata"]["jupyter"] = {"source_hidden": True}


def write(path: Path) -> None:
    """Fold the cells of a chapter that draw; the gallery is there to show how they do it."""
    if path.stem == GALLERY:
        return
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        fold(cell)
    text = nbformat.writes(notebook) + "\n"  # type: ignore[no-untyped-call]
    path.write_text(text, encoding="utf-8", newline="\n")
