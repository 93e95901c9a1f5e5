"""Read what an assignment was in its earlier versions, from its folder `earlier`."""

import json
from pathlib import Path
from typing import Any

from exercises.grader.intake import source


def notebooks(folder: Path, present: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the source notebook as it was in each version that the folder keeps.

    earlier/5.json holds by grade_id the lines of each cell that version 5 was the last to have like
    this, and [] for a cell that came later. Where tasks and tests have changed too,
    earlier/5.ipynb is the whole source of version 5, from which still earlier files go on.

    Raises:
        ValueError: a file is not of this form, or the notebook has no cell of a name in it.
    """
    made: dict[int, dict[str, Any]] = {}
    texts: dict[str, list[str]] = {}
    kept = [*folder.glob("earlier/*.json"), *folder.glob("earlier/*.ipynb")]
    for path in sorted(kept, key=lambda path: -int(path.stem)):
        if path.suffix == ".ipynb":
            present, texts = source.read(path, folder.parent), {}
        else:
            texts |= json.loads(path.read_text(encoding="utf-8"))
        names = {_name(cell) for cell in present["cells"]} - {""}
        if unknown := sorted(texts.keys() - names):
            raise ValueError(f"{path}: the notebook has no cell {unknown[0]!r}")
        cells = [_of_then(cell, texts) for cell in present["cells"]]
        made[int(path.stem)] = present | {"cells": [cell for cell in cells if cell["source"]]}
    return made


def _name(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def _of_then(cell: dict[str, Any], texts: dict[str, list[str]]) -> dict[str, Any]:
    return cell | {"source": "".join(texts.get(_name(cell), cell["source"]))}
