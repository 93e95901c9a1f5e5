"""Compare what the build computed with what the notebooks store."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from book import toc

DIFFERS = "nbval-ignore-output"
"""The tag of a cell whose output is another at each run, such as a time."""

TEXTS = ("text/plain", "text/markdown", "text/html")

Cell = dict[str, Any]


def differences(root: Path) -> list[str]:
    """The cells whose texts the last build computed otherwise than they are stored, one a line."""
    return [
        f"{stored.relative_to(root)}, cell {number}"
        for stored in toc.notebooks(root)
        for number in differing(stored, root / "_build/jupyter_execute" / stored.relative_to(root))
    ]


def differing(stored: Path, built: Path) -> Iterator[int]:
    """The numbers of the code cells, from 0 as nbval counts them, that say something else."""
    pairs = zip(code_cells(stored), code_cells(built), strict=True)
    for number, (one, other) in enumerate(pairs):
        if not ignored(one) and cell_texts(one) != cell_texts(other):
            yield number


def code_cells(notebook: Path) -> list[Cell]:
    """The code cells of a notebook's file."""
    cells = json.loads(notebook.read_text())["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def ignored(cell: Cell) -> bool:
    """Whether a cell is marked as one whose output differs from run to run."""
    return DIFFERS in cell["metadata"].get("tags", [])


def cell_texts(cell: Cell) -> list[dict[str, str]]:
    """What each output of a cell says."""
    return [texts(output) for output in cell["outputs"]]


def texts(output: dict[str, Any]) -> dict[str, str]:
    """What an output says, by kind: the same for a stored and a built one."""
    if output["output_type"] == "stream":
        return {output["name"]: "".join(output["text"])}
    data = output.get("data", {})
    return {kind: "".join(data[kind]) for kind in TEXTS if kind in data}
