"""A page that computes in the browser has no torch: what needs it says so, nothing else does."""

import ast
import builtins
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from book import toc
from book.environment import environment
from book.live.page_cells import ALONE
from book.live.torch_cells import TAG, imported, names, needing_torch
from book.paths import ROOT
from tests.book.test_chapter_cells import code_cells, source, tags

CHAPTERS = toc.notebooks()


def needing(cells: list[dict[str, Any]]) -> list[str]:
    """The ids of the cells that do not run where torch is not installed."""
    needs = needing_torch([(source(cell), tags(cell)) for cell in cells])
    return [cell["id"] for cell, need in zip(cells, needs, strict=True) if need]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_cells_that_need_torch_are_those_with_the_tag(path: Path) -> None:
    cells = code_cells(path)
    assert [cell["id"] for cell in cells if TAG in tags(cell)] == needing(cells)


def test_a_cell_that_runs_alone_takes_no_name_of_another() -> None:
    cells = [cell for path in CHAPTERS for cell in code_cells(path) if ALONE in tags(cell)]
    assert {cell["id"] for cell in cells} == {"train-here-view", "c065", "in-your-browser"}
    for cell in cells:
        assert names(ast.parse(source(cell)))[0] <= set(dir(builtins))


RUN = """
import json, sys
sys.modules["torch"] = None
from IPython.core.interactiveshell import InteractiveShell
shell, failed = InteractiveShell.instance(), []
for cell in json.loads(sys.stdin.read()):
    done = shell.run_cell(cell["source"], store_history=False)
    if not done.success:
        failed.append(cell["id"])
print("FAILED", json.dumps(failed))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["08_feed_forward", "10_encoder_decoder"])
def test_where_torch_is_not_installed_the_other_cells_run(name: str) -> None:
    path = ROOT / "chapters" / f"{name}.ipynb"
    cells = [{"id": cell["id"], "source": source(cell)} for cell in code_cells(path)]
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(cells),
        env={**environment(), "PYTHONPATH": str(ROOT), "IPYTHONDIR": os.devnull},
        cwd=path.parent,
        check=True,
        capture_output=True,
        text=True,
    )
    failed = json.loads(done.stdout.rpartition("FAILED")[2])
    assert failed == needing(code_cells(path)) != []


def test_imports_count_wherever_they_stand() -> None:
    code = """
from typing import TYPE_CHECKING
import a.b as c, d
if TYPE_CHECKING:
    from e import f
def late():
    from g.h import i
    import_module(f"j.k.{i}")
    importlib.import_module("l")
"""
    found = {"typing.TYPE_CHECKING", "a.b", "d", "e.f", "g.h.i", "j.k", "l"}
    assert set(imported(code)) == found
