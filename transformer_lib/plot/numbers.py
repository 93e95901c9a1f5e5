"""Numbers as a chapter prints them: a fixed count of decimals, a true minus sign, −∞."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_matrix(matrix: Any, name: str = "matrix") -> NDArray[np.float64]:
    """Return a numpy array, torch tensor or nested list as a float matrix; a vector is one row.

    Raises:
        ValueError: it does not hold numbers, is empty, or has more than two axes.
    """
    detached = matrix.detach().cpu() if hasattr(matrix, "detach") else matrix
    try:
        array = np.asarray(detached, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold real numbers in rows of equal length") from None
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"{name} must be a matrix or a vector, not empty, got {array.shape}")
    return np.atleast_2d(array)


def positive(name: str, value: float) -> float:
    """Return the number, or raise ValueError unless it is positive and finite."""
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value}")
    return value


def fixed(value: float, decimals: int) -> str:
    """Return a number with `decimals` decimals, and never a negative zero.

    >>> fixed(-0.00001, 4), fixed(2.5, 2), fixed(float("-inf"), 4)
    ('0.0000', '2.50', '-inf')
    """
    text = f"{value:.{decimals}f}"
    is_zero = math.isfinite(value) and float(text) == 0
    return text.removeprefix("-") if is_zero else text


def shown(value: float, decimals: int) -> str:
    """Return a number as `fixed` does, with the signs of print.

    >>> shown(float("-inf"), 4), shown(-0.5, 1)
    ('−∞', '−0.5')
    """
    return fixed(value, decimals).replace("-", "−").replace("inf", "∞")


def significant(value: float) -> str:
    """Return a number with four significant digits, for a sentence.

    >>> significant(1024.0), significant(0.123456)
    ('1024', '0.1235')
    """
    return f"{value:.4g}".replace("-", "−")
