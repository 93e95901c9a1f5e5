"""The runs that the assignment on training shows are those that its script makes."""

import runpy

import numpy as np

from tests.exercises.assignments import code_cells, path_of

NAME = "10_12_models_and_training"


def test_the_stored_runs_are_what_the_script_makes():
    space = {}
    for cell in code_cells(NAME):
        if cell.id in ("spoiled-runs", "rate_choice-curves"):
            exec(cell.source, space)
    made = runpy.run_path(str(path_of(NAME).parent / "runs.py"))
    assert set(space["SPOILED"]) == set(space["CURVES"]) == set(made["SEEDS"])
    assert space["SPOILED_STEPS"] == space["CURVE_STEPS"] == list(made["STEPS"])
    for row, again in zip(space["SPOILED"][1], made["spoiled_runs"](1), strict=True):
        for stored, measured in zip(row, again, strict=True):
            np.testing.assert_allclose(stored, measured, rtol=0.02)
    for stored, measured in zip(space["CURVES"][1], made["curves"](1), strict=True):
        # What has grown beyond all bounds multiplies the rounding of another processor.
        bounded = np.nan_to_num(measured, nan=np.inf) < 1000
        np.testing.assert_allclose(
            np.array(stored)[bounded], np.array(measured)[bounded], rtol=0.02
        )
