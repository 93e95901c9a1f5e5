"""A row of scores, one a token: its numbers in numpy, and its best few without sorting it all."""

from typing import Any

import numpy as np

from transformer_lib.formulas.checks import Array


def to_numpy(array: Array) -> Any:
    """Return the numbers of an array of either library in numpy's float64, which holds them all."""
    if hasattr(array, "detach"):  # torch's, which need not be installed
        array = array.detach().cpu().double().numpy()
    return np.asarray(array, dtype=np.float64)


def best(row: Any, k: int) -> Any:
    """Return the ids of the k largest numbers of a numpy row, best first, of equals the lowest id.

    >>> best(np.array([1.0, 3.0, 2.0, 3.0]), 3)
    array([1, 3, 2])
    """
    ids = np.arange(len(row))
    if k < len(row):
        least = np.partition(row, len(row) - k)[len(row) - k]
        above = np.flatnonzero(row > least)
        ids = np.concatenate([above, np.flatnonzero(row == least)[: k - len(above)]])
    return ids[np.argsort(-row[ids], kind="stable")]
