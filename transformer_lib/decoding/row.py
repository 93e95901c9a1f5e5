"""Convert a row of scores, one per token, to numpy and find its best few without a full sort."""

from typing import Any

import numpy as np

from transformer_lib.formulas.checks import Array


def to_numpy(array: Array) -> Any:
    """Return an array of either library as numpy float64, which represents all its numbers."""
    if hasattr(array, "detach"):  # torch's, which need not be installed
        array = array.detach().cpu().double().numpy()
    return np.asarray(array, dtype=np.float64)


def best(row: Any, k: int) -> Any:
    """Return the ids of the k largest numbers of a numpy row, best first, then by the lowest id.

    >>> best(np.array([1.0, 3.0, 2.0, 3.0]), 3)
    array([1, 3, 2])
    """
    ids = np.arange(len(row))
    if k < len(row):
        least = np.partition(row, len(row) - k)[len(row) - k]
        above = np.flatnonzero(row > least)
        ids = np.concatenate([above, np.flatnonzero(row == least)[: k - len(above)]])
    return ids[np.argsort(-row[ids], kind="stable")]
