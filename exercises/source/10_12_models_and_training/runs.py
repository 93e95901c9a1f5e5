"""Make the numbers of the runs that tasks 7 and 8 show: `python exercises/source/.../runs.py`.

They are stored in the notebook, so that nobody has to train twelve models for them. A test
compares both.
"""

import argparse
import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from exercises.cells import cells_of

FOLDER = Path(__file__).parent
GIVEN = ("arrays", "given-block", "given-language", "given-model", "given-gradients")
STEPS = (1, 2, 3, 10, 20, 50, 100, 200, 300)
RATES = (0.03, 1.0, 0.003, 10.0, 0.1, 0.01)  # 1 is the best, 10 diverges, and four are too small
SEEDS = (1, 2, 3, 4)


def names() -> dict[str, Any]:
    """Return what the notebook gives: the language, the model and its loss."""
    space: dict[str, Any] = {"np": np}
    texts = {cell.id: cell.text for cell in cells_of(FOLDER)}
    with contextlib.redirect_stdout(io.StringIO()):
        for name in GIVEN:
            exec(texts[name], space)
    return space


def run(
    space: dict[str, Any],
    seed: int,
    rate: float = 0.5,
    *,
    masked: bool = True,
    clears: bool = True,
    spoil: str = "",
) -> dict[str, list[float]]:
    """Train once; return the losses of some steps, and what was measured on new sentences."""
    rng = np.random.default_rng(seed)
    P = space["draw_parameters"](rng)
    sums = dict.fromkeys(P, 0.0)
    batches = [space["draw_batch"](rng) for _ in range(STEPS[-1])]
    new, losses = space["draw_batch"](rng, 400), []
    for ids, targets in batches:
        batch = spoiled(space, ids, targets, spoil)
        loss, slopes = space["language_loss_and_gradients"](P, *batch, masked)
        losses.append(loss)
        sums = {name: slopes[name] + (0.0 if clears else sums[name]) for name in P}
        P = {name: P[name] - rate * sums[name] for name in P}
    ids, targets = new
    pairs = [spoiled(space, ids, targets, how) for how in (spoil, "")]
    found = [float(space["language_loss"](P, *pair)) for pair in pairs]
    verbs = 100 * space["right_verbs"](P, rng, 3)
    return {
        "losses": [float(f"{losses[step - 1]:.3g}") for step in STEPS],
        "new": [*(float(f"{loss:.3g}") for loss in found), round(verbs)],
    }


def spoiled(space: dict[str, Any], ids: Any, targets: Any, how: str) -> tuple[Any, Any]:
    """Return a batch whose targets are spoiled: shifted the wrong way, or with padding counted."""
    if how == "padding":
        return ids, np.where(targets == -100, space["PADDING"], targets)
    if how == "labels":
        earlier = np.full_like(targets, -100)
        earlier[:, 1:] = ids[:, :-1]
        return ids, np.where(targets == -100, -100, earlier)
    return ids, targets


SPOILED: dict[str, dict[str, Any]] = {
    "right": {},
    "padding": {"spoil": "padding"},
    "zero_grad": {"clears": False},
    "labels": {"spoil": "labels"},
    "rate": {"rate": 20.0},
    "mask": {"masked": False},
}


def curves(seed: int) -> list[list[float]]:
    """Return the losses of a run for each rate."""
    space = names()
    return [run(space, seed, rate)["losses"] for rate in RATES]


def spoiled_runs(seed: int) -> list[list[list[float]]]:
    """Return for each kind of run its losses, and what was measured on new sentences."""
    space = names()
    return [[*run(space, seed, **how).values()] for how in SPOILED.values()]


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print({seed: curves(seed) for seed in SEEDS})
    print({seed: spoiled_runs(seed) for seed in SEEDS})
