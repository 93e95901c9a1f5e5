"""Make the numbers of the runs that tasks 7 and 8 show: `python exercises/source/.../runs.py`.

They are stored in the notebook, so that a page without torch shows them. A test compares both.
"""

import argparse
import contextlib
import io
from pathlib import Path
from typing import Any

from exercises.cells import cells_of

FOLDER = Path(__file__).parent
GIVEN = ("torch", "tensors", "given-block", "given-language", "given-model")
STEPS = (1, 2, 3, 10, 20, 50, 100, 200, 300)
RATES = (0.03, 1.0, 0.003, 10.0, 0.1, 0.01)  # 1 is the best, 10 diverges, and four are too small
SEEDS = (1, 2, 3, 4)


def names() -> dict[str, Any]:
    """Return what the notebook gives: the language, the model and its loss."""
    space: dict[str, Any] = {}
    texts = {cell.id: cell.text for cell in cells_of(FOLDER)}
    exec("import numpy as np", space)
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
    rng = space["np"].random.default_rng(seed)
    P = {name: tensor.requires_grad_() for name, tensor in space["draw_parameters"](rng).items()}
    batches = [space["draw_batch"](rng) for _ in range(STEPS[-1])]
    new, losses = space["draw_batch"](rng, 400), []
    for ids, targets in batches:
        loss = space["language_loss"](P, *spoiled(space, ids, targets, spoil), masked)
        loss.backward()
        losses.append(loss.item())
        with space["torch"].no_grad():
            for tensor in P.values():
                tensor -= rate * tensor.grad
                if clears:
                    tensor.grad = None
    P = {name: tensor.detach() for name, tensor in P.items()}
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
        return ids, targets.masked_fill(targets == -100, space["PADDING"])
    if how == "labels":
        earlier = space["torch"].full_like(targets, -100)
        earlier[:, 1:] = ids[:, :-1]
        return ids, earlier.masked_fill(targets == -100, -100)
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
