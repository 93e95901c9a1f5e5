"""Results of training over several seeds, and the claims that their spread allows."""

import json
from pathlib import Path
from typing import Any

import numpy as np

MARGIN = 2
"""A claim needs a distance of so many spreads from its threshold."""


def read_figures(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return, for every run, each figure as an array with one row per seed.

    Args:
        path: figures.json, which `make models` writes beside the models.
    """
    runs = json.loads(Path(path).read_text(encoding="utf-8"))
    return {
        name: {figure: np.array(run["figures"][figure]["each"]) for figure in run["figures"]}
        for name, run in runs.items()
    }


def over_seeds(each: Any, decimals: int = 2, *, percent: bool = False) -> str:
    """Return the mean over the seeds, and the lowest and highest beside it: the spread.

    Args:
        each: one number per seed.
        decimals: how many decimals each number shows.
        percent: show shares as percentages.

    Raises:
        ValueError: there are fewer than three seeds.

    >>> over_seeds([0.25, 0.5, 0.75]), over_seeds([0.3, 0.4, 0.35], 0, percent=True)
    ('0.50 (0.25 to 0.75)', '35 % (30 to 40)')
    """
    values = _checked(each) * (100 if percent else 1)
    mean, low, high = (f"{x:.{decimals}f}" for x in (values.mean(), values.min(), values.max()))
    return f"{mean}{' %' * percent} ({low} to {high})"


def claim(
    each: Any, *, above: float = -np.inf, below: float = np.inf, otherwise: str | None = None
) -> str:
    """Return the claim in words; refuse it where the seeds do not bear it.

    The mean over the seeds must be on the right side of each threshold, at a distance of at least
    twice the spread, which is highest minus lowest.

    Args:
        each: one number per seed, or a row of numbers per seed: then it is claimed of each column.
        above: what the mean must exceed.
        below: what the mean must stay under.
        otherwise: what is said instead where the margin is too small.

    Raises:
        ValueError: there are fewer than three seeds, no threshold, or too small a margin and
            nothing to say instead.

    >>> claim([0.4, 0.5, 0.45], below=0.75)
    'below 0.75'
    >>> claim([0.4, 0.5, 0.45], below=0.6)
    Traceback (most recent call last):
    ValueError: below 0.6 cannot be claimed: mean 0.4500, spread 0.1000, margin 0.1500
    """
    values = _checked(each)
    words = [f"{side} {at:g}" for side, at in (("above", above), ("below", below)) if abs(at) < 1e9]
    if not words:
        raise ValueError("above or below must be given")
    mean, spread = values.mean(axis=0), values.max(axis=0) - values.min(axis=0)
    margin = np.minimum(mean - above, below - mean)
    short = np.ravel(margin < MARGIN * spread) | np.ravel(margin <= 0)
    if short.any() and otherwise is not None:
        return otherwise
    if short.any():
        mean, spread, margin = (np.ravel(x)[short][0] for x in (mean, spread, margin))
        raise ValueError(
            f"{' and '.join(words)} cannot be claimed: mean {mean:.4f}, spread {spread:.4f}, "
            f"margin {margin:.4f}"
        )
    return " and ".join(words)


def _checked(each: Any) -> Any:
    values = np.asarray(each, dtype=np.float64)
    if values.ndim == 0 or len(values) < 3:
        raise ValueError(f"each must have three seeds or more, got {np.shape(values)}")
    return values
