"""The one interface that every decoding method uses: next_logits(prefix) -> logits."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transformer_lib.decoding.row import to_numpy
from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.head import log_softmax

NextLogits = Callable[[list[int]], Array]


def next_log_probabilities(next_logits: NextLogits, prefix: list[int]) -> Any:
    """Compute the logits of the next token and return float64 log-probabilities in numpy, (V,).

    Raises:
        ValueError: the logits are not one row of real numbers, contain nan or +inf, exclude every
            token, or have no entry for an id of the prefix.
    """
    logits = next_logits(list(prefix))
    xp = checks.namespace(logits=logits)
    if logits.ndim != 1 or logits.shape[0] == 0:
        raise ValueError(f"next_logits must return shape (V,), got {checks.shape_of(logits)}")
    checks.real(xp, logits=logits)
    row = to_numpy(logits)
    if np.isnan(row).any() or not np.isfinite(row.max()):
        raise ValueError(
            "next_logits must return numbers that are finite or -inf, not all of them -inf, "
            f"got {row} after {list(prefix)}"
        )
    if max(prefix) >= len(row):
        raise ValueError(f"prefix must contain ids below V = {len(row)}, got {list(prefix)}")
    return log_softmax(row)


def check_arguments(
    next_logits: NextLogits, prefix: Sequence[int], end: int | None, max_new_tokens: int
) -> list[int]:
    """Return the prefix as a list of int, or raise a ValueError that names the invalid argument."""
    if not callable(next_logits):
        raise ValueError(f"next_logits must be callable, got {type(next_logits).__name__}")
    if not isinstance(prefix, (list, tuple)) or not prefix or not all(map(is_id, prefix)):
        raise ValueError(f"prefix must be a list of one or more ids of 0 or more, got {prefix!r}")
    if end is not None and not is_id(end):
        raise ValueError(f"end must be an id of 0 or more, or None, got {end!r}")
    positive_integer(max_new_tokens=max_new_tokens)
    return [int(i) for i in prefix]


def check_end(end: int | None, size: int) -> None:
    """Raise ValueError if the end token is not one of the `size` tokens: it would never occur."""
    if end is not None and end >= size:
        raise ValueError(f"end must be an id below V = {size}, got {end}")


def positive_integer(**values: int) -> None:
    """Raise ValueError unless every named value is a positive integer."""
    for name, value in values.items():
        if not is_id(value) or value < 1:
            raise ValueError(f"{name} must be an integer of 1 or more, got {value!r}")


def is_id(value: Any) -> bool:
    """Return whether a value is an integer of 0 or more."""
    integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return integer and bool(value >= 0)
