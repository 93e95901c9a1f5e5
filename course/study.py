"""The runs of the scaling study: what each cost, and what was left to learn, seed by seed."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.languages import FactLanguage
from course.languages.facts import TOKENS
from course.seeds import read_figures
from transformer_lib import Configuration
from transformer_lib.scaling import parameter_count, training_flops


class Study(NamedTuple):
    """Runs side by side, (runs,); what was measured, (seeds, runs)."""

    width: NDArray[np.int64]
    layers: NDArray[np.int64]
    steps: NDArray[np.int64]
    size: NDArray[np.float64]  # parameters without embedding and head
    parameters: NDArray[np.float64]  # all
    tokens: NDArray[np.float64]
    flops: NDArray[np.float64]  # counted, not 6 for each parameter and token
    excess: NDArray[np.float64]  # expected loss minus its floor, in nats per token
    known: NDArray[np.float64]  # share of the facts, by how often they are asked for


def read_study(folder: str | Path, runs: str) -> Study:
    """Return the runs of a scaling study in the order of their names.

    Args:
        folder: `chapters/models`, where figures.json lies, and the run files in `measured`.
        runs: a pattern of their names, such as "scale_*".

    Raises:
        ValueError: there is no such run.
    """
    files = sorted(Path(folder, "measured").glob(f"{runs}.toml"))
    if not files:
        raise ValueError(f"runs must be a pattern of run files in {folder}/measured, got {runs!r}")
    figures = read_figures(Path(folder, "figures.json"))
    costs = [_cost(tomllib.loads(file.read_text(encoding="utf-8"))) for file in files]
    measured = {
        name: np.stack([figures[file.stem][name] for file in files], axis=1)
        for name in ("excess", "known")
    }
    return Study(
        **{name: np.array([cost[name] for cost in costs]) for name in costs[0]}, **measured
    )


def _cost(run: dict[str, Any]) -> dict[str, float]:
    run["language"].pop("kind")
    vocabulary = FactLanguage(**run["language"]).vocabulary
    config = Configuration(vocabulary_size=len(vocabulary), **run["model"])
    count, settings = parameter_count(config), run["training"]
    sentences, steps = settings["batch_size"], settings["steps"]
    return {
        "width": config.d_model,
        "layers": config.layers,
        "steps": steps,
        "size": float(count.without_embedding),
        "parameters": float(count.total),
        "tokens": float(steps * sentences * TOKENS),
        "flops": float(steps * training_flops(config, TOKENS, batch=sentences).total),
    }
