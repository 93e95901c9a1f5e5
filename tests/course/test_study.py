"""The scaling study reads its costs from the run files and its losses from figures.json."""

import json
from pathlib import Path

import numpy as np
import pytest

from book.paths import ROOT
from course.study import read_study
from transformer_lib.scaling import training_flops
from transformer_lib.training import read_run

MODELS = ROOT / "chapters" / "models"
STUDY = read_study(MODELS, "scale_*")


def test_every_width_has_run_for_every_number_of_steps() -> None:
    pairs = list(zip(STUDY.width.tolist(), STUDY.steps.tolist(), strict=True))
    widths, steps = sorted(set(STUDY.width.tolist())), sorted(set(STUDY.steps.tolist()))
    assert pairs == [(width, step) for width in widths for step in steps]
    assert len(widths) == 5 and STUDY.excess.shape == STUDY.known.shape == (10, len(pairs))
    assert np.all(STUDY.excess > 0)


def test_costs_are_those_of_the_run_file() -> None:
    run = read_run(MODELS / "measured" / "scale_16_wide_0180_steps.toml")
    (i,) = np.flatnonzero((STUDY.width == 16) & (STUDY.steps == 180))
    assert STUDY.tokens[i] == 180 * 128 * 4
    assert STUDY.flops[i] == 180 * training_flops(run.config, 4, batch=128).total  # type: ignore[arg-type]
    assert STUDY.parameters[i] - STUDY.size[i] == run.config.vocabulary_size * 16


def test_figures_are_those_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "measured").mkdir()
    names = ["scale_04_wide_0060_steps", "scale_04_wide_0180_steps"]
    for name in names:
        text = (MODELS / "measured" / f"{name}.toml").read_text(encoding="utf-8")
        (tmp_path / "measured" / f"{name}.toml").write_text(text, encoding="utf-8")
    figures = {
        name: {"figures": {key: {"each": [n, n + 1, n + 2]} for key in ("excess", "known")}}
        for n, name in enumerate(names)
    }
    (tmp_path / "figures.json").write_text(json.dumps(figures), encoding="utf-8")
    study = read_study(tmp_path, "scale_*")
    assert study.excess.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert study.steps.tolist() == [60, 180] and study.layers.tolist() == [2, 2]


def test_runs_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match=r"runs must be a pattern of run files in .* got 'none'"):
        read_study(MODELS, "none")
