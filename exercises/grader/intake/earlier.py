"""Read the cells that an assignment gave in its earlier versions, from its folder `earlier`."""

import json
from pathlib import Path
from typing import Any


def notebooks(folder: Path, present: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the source notebook as it was in each version of which the folder keeps cells.

    earlier/5.json holds by grade_id the lines of each cell that version 5 was the last to have like
    this, and [] for a cell that came later.

    Raises:
        ValueError: a file is not of this form, or the notebook has no cell of a name in it.
    """
    made: dict[int, dict[str, Any]] = {}
    texts: dict[str, list[str]] = {}
    names = {_name(cell) for cell in present["cells"]} - {""}
    for path in sorted(folder.glob("earlier/*.json"), key=lambda path: -int(path.stem)):
        texts |= json.loads(path.read_text(encoding="utf-8"))
        if unknown := sorted(texts.keys() - names):
            raise ValueError(f"{path}: the notebook has no cell {unknown[0]!r}")
        cells = [_of_then(cell, texts) for cell in present["cells"]]
        made[int(path.stem)] = present | {"cells": [cell for cell in cells if cell["source"]]}
    return made


def _name(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def _of_then(cell: dict[str, Any], texts: dict[str, list[str]]) -> dict[str, Any]:
    return cell | {"source": "".join(texts.get(_name(cell), cell["source"]))}
