"""The runs that the assignment on training shows are those that its script makes."""

import runpy

import numpy as np

from tests.exercises.assignments import code_cells, path_of

NAME = "10_12_models_and_training"


def test_the_stored_runs_are_what_the_script_makes():
    space = {}
    (cell,) = [cell.source for cell in code_cells(NAME) if cell.id == "spoiled-runs"]
    exec(cell, space)
    made = runpy.run_path(str(path_of(NAME).parent / "runs.py"))
    assert set(space["SPOILED"]) == set(made["SEEDS"])
    assert space["SPOILED_STEPS"] == list(made["STEPS"])
    for row, again in zip(space["SPOILED"][1], made["spoiled_runs"](1), strict=True):
        for stored, measured in zip(row, again, strict=True):
            np.testing.assert_allclose(stored, measured, rtol=0.02)
