"""The code cells of a page, as the script that runs them reads them."""

import json
from pathlib import Path

from myst_nb.core.read import read_myst_markdown_notebook

from book import toc
from book.live.drawings import drawings
from book.live.kernel.outputs import fingerprint
from book.live.torch_cells import TAG, needing_torch
from book.text.shown_cells import REMOVED, Cell, tags

FOLDER = "pages"
SOURCES = "_sources"
"""Where Sphinx puts the source of each page, beside the pages."""

FAILS = "raises-exception"
"""The tag of a cell that may raise: those below it run all the same."""

ALONE = "runs-alone"
"""The tag of a cell that takes no name from another: it runs without those above it."""

WAITS = "waits-for-a-press"
"""The tag of a cell that takes long or needs a loaded model.

*Run this page* leaves it and what needs it out.
"""


def write(vendor: Path, root: Path) -> None:
    """Write a file for each chapter with cells and for each exercise.

    That of an exercise says where its notebook is served, which a reader downloads.
    """
    for notebook in toc.notebooks(root):
        _write(vendor, root, notebook, {})
    for notebook in toc.exercises(root):
        served = f"{SOURCES}/{notebook.relative_to(root).as_posix()}"
        _write(vendor, root, notebook, {"notebook": served})


def _write(vendor: Path, root: Path, notebook: Path, more: dict[str, str]) -> None:
    path = vendor / FOLDER / notebook.relative_to(root).with_suffix(".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = described(cells_of(notebook))
    path.write_text(json.dumps({"cells": cells} | more, ensure_ascii=False), encoding="utf-8")


def seen(notebook: Path) -> list[bool]:
    """Whether a cell needs torch, for each cell whose code a page shows."""
    cells = [cell for cell in cells_of(notebook) if cell["cell_type"] == "code"]
    return [
        said["torch"]
        for said, cell in zip(described(cells), cells, strict=True)
        if not REMOVED & tags(cell)
    ]


def cells_of(path: Path) -> list[Cell]:
    """The cells of a notebook, or of a page of text with cells, which are called by their order."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells: list[Cell] = json.loads(text)["cells"]
        return cells
    read: list[Cell] = read_myst_markdown_notebook(text).cells
    return [cell | {"id": f"{path.stem}-{n}"} for n, cell in enumerate(read)]


def described(cells: list[Cell]) -> list[Cell]:
    """What a page needs to know of each code cell.

    Its id, its code, whether the page shows it (`shown`), whether it needs torch, whether it may
    fail, whether it runs without those above it (`alone`), what its stored outputs are recognized
    by (`prints`), which cells draw what it computes (`drawings`), without which cells that wait for
    a press it cannot run (`waits`), and its part in an exercise (`role`): "answer", "check",
    "given", or "" for a cell that nobody grades.
    """
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    drawn = drawings(code)
    # An answer whose check needs torch will need it too, and so does the example that calls it.
    lost = needing(code, set())
    lost = needing(code, {name.partition("-check")[0] for name in lost})
    waiting = {
        cell["id"]: needing(code, {cell["id"]}) - lost for cell in code if WAITS in tags(cell)
    }
    return [
        {
            "id": cell["id"],
            "code": "".join(cell["source"]),
            "shown": "remove-cell" not in tags(cell),
            "torch": cell["id"] in lost,
            "fails": FAILS in tags(cell),
            "alone": ALONE in tags(cell),
            "role": role(cell),
            "prints": [fingerprint(output) for output in cell["outputs"]],
            "drawings": drawn.get(cell["id"], []),
            "waits": [name for name, below in waiting.items() if cell["id"] in below],
        }
        for cell in code
    ]


def needing(code: list[Cell], known: set[str]) -> set[str]:
    """The ids of the code cells that need torch, where some are known to need it."""
    more = [[TAG] if cell["id"] in known else [] for cell in code]
    given = [
        ("".join(cell["source"]), [*tags(cell), *tag]) for cell, tag in zip(code, more, strict=True)
    ]
    need = needing_torch(given)
    return {cell["id"] for cell, torch in zip(code, need, strict=True) if torch}


def role(cell: Cell) -> str:
    """The part of a cell in an exercise, as nbgrader marks it.

    >>> role({"metadata": {"nbgrader": {"solution": True, "grade": False}}})
    'answer'
    >>> role({"metadata": {}})
    ''
    """
    marks = cell["metadata"].get("nbgrader")
    if not marks:
        return ""
    return "answer" if marks["solution"] else "check" if marks["grade"] else "given"
