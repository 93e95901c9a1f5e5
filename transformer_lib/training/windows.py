"""Windows of one long array of ids: what a model of real text is trained and measured on."""

from typing import Any

import numpy as np
import torch
from jaxtyping import Integer

from transformer_lib.formulas import checks
from transformer_lib.training.batches import Batch, DrawBatch

Ids = Integer[np.ndarray, " n"]


def get_batch(ids: Ids, *, batch_size: int, length: int, rng: np.random.Generator) -> Batch:
    """Draw windows that begin anywhere; the target at each position is the id at the next one.

    Args:
        ids: of a text, (n,); a memory-mapped array is read only where a window is.
        batch_size: windows.
        length: ids of a window.
        rng: where they begin.

    Raises:
        ValueError: ids is no array of integers of one axis, or is shorter than a window and its
            last target.

    Source: Radford et al. (2018), section 4.1, "contiguous sequences".

    >>> batch = get_batch(np.arange(9), batch_size=1, length=3, rng=np.random.default_rng(0))
    >>> batch.ids.tolist(), batch.targets.tolist()
    ([[5, 6, 7]], [[6, 7, 8]])
    """
    _check(ids, batch_size, length)
    starts = rng.integers(0, len(ids) - length, batch_size)
    return _batch(ids, starts.tolist(), length)


def window_draws(ids: Ids, *, batch_size: int, length: int) -> DrawBatch:
    """Return what `train` draws its batches from: `get_batch` of these ids.

    Raises:
        ValueError: as `get_batch`.
    """
    _check(ids, batch_size, length)
    return lambda rng: get_batch(ids, batch_size=batch_size, length=length, rng=rng)


def windows_in_turn(ids: Ids, *, batch_size: int, length: int) -> list[Batch]:
    """Return all of a text as windows side by side, for a loss on each of its ids but the first.

    What is left at the end is a batch of one shorter window.

    Raises:
        ValueError: as `get_batch`.

    >>> [batch.ids.tolist() for batch in windows_in_turn(np.arange(9), batch_size=2, length=3)]
    [[[0, 1, 2], [3, 4, 5]], [[6, 7]]]
    """
    _check(ids, batch_size, length)
    last = (len(ids) - 1) // length * length
    starts = [*range(0, last, length)]
    found = [
        _batch(ids, starts[i : i + batch_size], length) for i in range(0, len(starts), batch_size)
    ]
    return found + ([_batch(ids, [last], len(ids) - 1 - last)] if last < len(ids) - 1 else [])


def _batch(ids: Ids, starts: list[int], length: int) -> Batch:
    rows = np.stack([ids[start : start + length + 1] for start in starts]).astype(np.int64)
    return Batch(torch.from_numpy(rows[:, :-1].copy()), torch.from_numpy(rows[:, 1:].copy()))


def _check(ids: Any, batch_size: int, length: int) -> None:
    checks.count(1, batch_size=batch_size, length=length)
    if not isinstance(ids, np.ndarray) or ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise ValueError(f"ids must be a numpy array of integers of one axis, got {ids!r:.80}")
    if len(ids) <= length:
        raise ValueError(
            f"length must be below the {len(ids)} ids of the text, to leave a last target, "
            f"got {length}: take shorter windows or more text"
        )
