"""Results of training over several seeds, and the claims that the seeds bear."""

import functools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

TAIL = 0.005
"""An interval of 99 % misses so often on each side."""


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

    The 99 % interval of the mean, by Student's t, must be clear of each threshold. Two runs are
    compared by their difference with the same seed: `claim(a - b, above=0)`. Where more than two
    thirds of the seeds gave one number, such as 1 for "all right", their spread does not tell what
    other seeds would give: count them, with `count_seeds`.

    Args:
        each: one number per seed, or a row of numbers per seed: then it is claimed of all columns
            at once, and their intervals are wider by what that takes.
        above: what the mean must exceed.
        below: what the mean must stay under.
        otherwise: what is said instead where it cannot be claimed.

    Raises:
        ValueError: there are fewer than three seeds or no threshold, or the claim is refused and
            there is nothing to say instead.

    >>> claim([0.4, 0.5, 0.45], below=0.75)
    'below 0.75'
    >>> claim([0.4, 0.5, 0.45], below=0.6)
    Traceback (most recent call last):
    ValueError: below 0.6 cannot be claimed: mean 0.4500, 99 % interval 0.1635 to 0.7365
    """
    columns = _checked(each).reshape(len(each), -1).T
    words = [f"{side} {at:g}" for side, at in (("above", above), ("below", below)) if abs(at) < 1e9]
    if not words:
        raise ValueError("above or below must be given")
    said = " and ".join(words)
    for values in columns:
        low, high = interval(values, TAIL / len(columns))
        alike = np.unique(values, return_counts=True)[1].max()
        if above < low and high < below and 3 * alike <= 2 * len(values):
            continue
        if otherwise is not None:
            return otherwise
        why = f"mean {values.mean():.4f}, 99 % interval {low:.4f} to {high:.4f}"
        if 3 * alike > 2 * len(values):
            why = f"{alike} of {len(values)} seeds gave one number, so use count_seeds"
        raise ValueError(f"{said} cannot be claimed: {why}")
    return said


def interval(values: Any, tail: float = TAIL) -> tuple[float, float]:
    """Return both ends of the interval of a mean over seeds, which misses by `tail` on each side.

    >>> [round(end, 2) for end in interval(np.array([1.0, 2.0, 3.0]))]
    [-3.73, 7.73]
    """
    reach = student_t(len(values) - 1, tail) * values.std(ddof=1) / math.sqrt(len(values))
    return float(values.mean() - reach), float(values.mean() + reach)


@functools.cache
def student_t(freedom: int, tail: float) -> float:
    """Return what Student's t exceeds with the probability `tail`.

    It is an angle's tangent, with a density that is a power of a cosine.

    Args:
        freedom: degrees of freedom, at least 1.
        tail: a probability below one half.

    >>> round(student_t(9, 0.025), 2)
    2.26
    """
    angles = np.linspace(math.pi / 2, 0, 100_001)
    beyond = np.cumsum(np.cos((angles[1:] + angles[:-1]) / 2) ** (freedom - 1))
    angle = np.interp(2 * tail * beyond[-1], beyond, angles[1:])
    return math.sqrt(freedom) * math.tan(angle)


def count_seeds(right: Any) -> str:
    """Return with how many seeds it is so, and between what shares of all seeds that leaves it.

    The shares, in percent, are the ends of the exact 99 % interval of Clopper and Pearson.

    Args:
        right: whether it is so, with each seed.

    Raises:
        ValueError: there are fewer than three seeds.

    >>> count_seeds([True] * 3), count_seeds([True, True, False, True])
    ('3 of 3 seeds (17–100 %)', '3 of 4 seeds (11–100 %)')
    """
    count, hits = len(_checked(right)), int(np.sum(right))
    low = math.floor(100 * _least(hits, count))
    high = math.ceil(100 - 100 * _least(count - hits, count))
    return f"{hits} of {count} seeds ({low}–{high} %)"


def _least(hits: int, count: int) -> float:
    """Return the smallest share with which so many hits or more are not too rare."""
    shares = np.linspace(0, 1, 100_001)
    chance = sum(
        math.comb(count, k) * shares**k * (1 - shares) ** (count - k)
        for k in range(hits, count + 1)
    )
    return float(np.interp(TAIL, chance, shares)) if hits else 0.0


def _checked(each: Any) -> Any:
    values = np.asarray(each, dtype=np.float64)
    if values.ndim == 0 or len(values) < 3:
        raise ValueError(f"each must have three seeds or more, got {np.shape(values)}")
    return values
