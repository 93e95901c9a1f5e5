"""What may be stored in a chapter's file."""

import json
from pathlib import Path

import pytest

from book.paths import ROOT
from book.refresh import WIDGET

NOTEBOOKS = sorted(ROOT.glob("chapters/*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_were_run_in_order_and_nothing_is_stored_that_changes_from_run_to_run(
    path: Path,
) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert "widgets" not in notebook["metadata"]
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    for cell in notebook["cells"]:
        assert "execution" not in cell["metadata"]
        assert all(WIDGET not in output.get("data", {}) for output in cell.get("outputs", []))
    counts = [
        cell["execution_count"]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
    ]
    assert counts == list(range(1, len(counts) + 1)), "store the outputs with make refresh"
