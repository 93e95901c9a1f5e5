"""A figure belongs to the visible cell whose numbers it draws, whatever its name is."""

import json
from typing import Any

import pytest

from book import toc
from book.live.drawings import drawings
from book.live.page_cells import described

LOOSE = {
    "guessing-figure": "its numbers are read from a file by the folded cell above it",
    "six-layers-figure": "the same numbers",
    "c026-figure": "its numbers are made by the folded cell above it",
    "presets-figure": "it lists what the library has",
}
"""Figures below a visible cell that draw nothing of it, and why."""


def cell(name: str, code: str, *tags: str, **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": name,
        "source": code,
        "outputs": [],
        "metadata": {"tags": list(tags)} | metadata,
    }


def test_what_draws_a_name_of_a_visible_cell_runs_after_it() -> None:
    cells = [
        cell("imports", "import numpy as np"),
        cell("first", "x = np.ones(2)"),
        cell("table", "rows = list(x)\nplot.table(rows)", "hide-input"),
        cell("note", "Markdown(str(rows))", "remove-input"),
        cell("other", "plot.table(np.zeros(2))", "hide-input"),
        cell("asked", "questions.number('q', x)", "remove-input"),
        cell("second", "print(x)"),
        cell("again", "plot.table(x)", "hide-input"),
        cell("set-up", "x = 3", "remove-cell"),
        cell("judged", "assert x", "hide-input", nbgrader={"solution": False, "grade": True}),
    ]
    expected = {"imports": [], "first": ["table", "note"], "second": ["again"]}
    assert drawings(cells) == expected
    assert {each["id"]: each["drawings"] for each in described(cells) if each["drawings"]} == {
        name: drawn for name, drawn in expected.items() if drawn
    }


@pytest.mark.parametrize("path", toc.notebooks(), ids=lambda path: path.stem)
def test_each_figure_belongs_to_a_cell(path: Any) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [each for each in cells if each["cell_type"] == "code"]
    drawn = {each for figures in drawings(code).values() for each in figures}
    figures = {each["id"] for each in code if each["id"].endswith("-figure")}
    assert figures - drawn <= LOOSE.keys()


def test_figures_of_another_name_are_found() -> None:
    found = {}
    for name in ("12_training", "attention"):
        path = next(path for path in toc.notebooks() if path.stem == name)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found |= drawings([each for each in cells if each["cell_type"] == "code"])
    assert "loop-figure" in found["loop-trained"]
    assert "itself-figure" in found["itself-scores"]
