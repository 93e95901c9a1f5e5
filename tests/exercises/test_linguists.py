"""What the assignment for linguists stores of two small models is what its script counts."""

import runpy

import pytest

from tests.exercises.assignments import code_cells, path_of

NAME = "linguists"
CELLS = {cell.id: cell.source for cell in code_cells(NAME)}


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(path_of(NAME).parent / "stored.py"))


def test_the_silenced_heads_are_those_of_the_trained_model(made):
    space = {}
    exec(CELLS["prediction-example"], space)
    assert made["heads"]() == space["RIGHT"]
    printed = CELLS["prediction-example"].partition("in {")[2].partition("}")[0]
    weights = [float(part.partition(": ")[2]) for part in printed.split(", ")]
    assert made["attention"](made["trained"](made["STEPS"])) == pytest.approx(weights, abs=0.006)


def test_the_items_are_those_of_the_model_with_few_steps(made, capsys):
    space = {}
    exec(CELLS["items"], space)
    assert made["items"]() == space["ITEMS"]
    chances = [
        float(line.split()[-1])
        for line in capsys.readouterr().out.splitlines()
        if "most" in line or "least" in line
    ]
    same, differ, whole = chances[::2]
    assert same < 1e-6 and 0 < whole < 0.01 and differ > 0.5
    assert chances[3] > 0.25, "a coin often is right no more often than the model"
    assert round(44 / 64, 2) == 0.69
