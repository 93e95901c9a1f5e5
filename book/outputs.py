"""Compare what the build computed with what the notebooks store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyter_cache import get_cache  # type: ignore[import-untyped]
from jupyter_cache.base import JupyterCacheAbstract  # type: ignore[import-untyped]

from book import cache, toc

DIFFERS = "nbval-ignore-output"
"""The tag of a cell whose output is another at each run, such as a time."""

TEXTS = ("text/plain", "text/markdown", "text/html")

Cell = dict[str, Any]


def differences(root: Path) -> list[str]:
    """The cells whose texts the build computed otherwise than they are stored, one a line.

    What it computed stands in its cache. `_build/jupyter_execute` will not do: a page that was made
    from the cache leaves its stored notebook there.
    """
    executed = get_cache(root / cache.FOLDER)
    return [
        f"{path.relative_to(root)}, cell {number}"
        for path in toc.notebooks(root)
        for number in differing(path, executed)
    ]


def differing(path: Path, executed: JupyterCacheAbstract) -> Iterator[int]:
    """The numbers of the code cells, from 0 as nbval counts them, that say something else."""
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    _, built = executed.merge_match_into_notebook(stored)
    pairs = zip(code_cells(stored), code_cells(built), strict=True)
    for number, (one, other) in enumerate(pairs):
        if not ignored(one) and cell_texts(one) != cell_texts(other):
            yield number


def code_cells(notebook: nbformat.NotebookNode) -> list[Cell]:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell["cell_type"] == "code"]


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
