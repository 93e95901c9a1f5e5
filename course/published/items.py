"""A mean over items, and the interval that the bootstrap gives it: the items are drawn again."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

DRAWS, ENDS = 1000, (0.05, 0.95)


class Mean(NamedTuple):
    """A mean, and the ends of its 90 % interval."""

    mean: float
    low: float
    high: float


def over_items(values: Sequence[float]) -> Mean:
    """Return the mean over items with its interval, from 1000 draws of the items with seed 0.

    >>> over_items([1.0, 1.0, 1.0])
    Mean(mean=1.0, low=1.0, high=1.0)
    """
    each = np.asarray(values, np.float64)
    drawn = np.random.default_rng(0).integers(len(each), size=(DRAWS, len(each)))
    low, high = np.quantile(each[drawn].mean(axis=1), ENDS)
    return Mean(float(each.mean()), float(low), float(high))
