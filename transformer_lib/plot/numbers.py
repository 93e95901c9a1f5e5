"""Numbers as a notebook prints them: a fixed count of decimals, a true minus sign, −∞."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_matrix(matrix: Any, name: str = "matrix") -> NDArray[np.float64]:
    """Return a NumPy array, torch tensor or nested list as a float matrix; a vector is one row.

    Raises:
        ValueError: matrix does not contain numbers, is empty, or has more than two axes.
    """
    detached = matrix.detach().cpu() if hasattr(matrix, "detach") else matrix
    try:
        array = np.asarray(detached, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must contain real numbers in rows of equal length") from None
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"{name} must be a matrix or a vector, not empty, got {array.shape}")
    return np.atleast_2d(array)


def positive(name: str, value: float) -> float:
    """Return the number if it is positive and finite, otherwise raise ValueError."""
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value}")
    return value


def settled(value: float) -> float:
    """Return a number with 12 significant digits, because the last bits depend on the processor.

    >>> 0.1 + 0.2 == 0.3, settled(0.1 + 0.2) == settled(0.3)
    (False, True)
    """
    return float(f"{value:.12g}")


def fixed(value: float, decimals: int) -> str:
    """Return a number with `decimals` decimals, and never a negative zero.

    >>> fixed(-0.00001, 4), fixed(2.5, 2), fixed(float("-inf"), 4)
    ('0.0000', '2.50', '-inf')
    """
    text = f"{settled(value):.{decimals}f}"
    is_zero = math.isfinite(value) and float(text) == 0
    return text.removeprefix("-") if is_zero else text


def pixels(value: float) -> str:
    """Return a place in a drawing, to a tenth of a pixel.

    >>> pixels(2.04), pixels(-0.04)
    ('2', '0')
    """
    return f"{round(settled(value), 1) + 0.0:g}"


def bracketed(matrix: Iterable[Iterable[float]], decimals: int, before: str = "") -> str:
    """Return a matrix as text: each row in brackets, the first one after `before`.

    >>> print(bracketed([[1.0, 0.5], [10.0, 2.0]], 1, "A = "))
    A = [ 1.0   0.5]
        [10.0   2.0]
    """
    printed = [[fixed(x, decimals) for x in row] for row in matrix]
    width = max(len(x) for row in printed for x in row)
    rows = ["[" + "  ".join(x.rjust(width) for x in row) + "]" for row in printed]
    return before + ("\n" + " " * len(before)).join(rows)


def shown(value: float, decimals: int) -> str:
    """Return a number as `fixed` does, with a true minus sign and the symbol for infinity.

    >>> shown(float("-inf"), 4), shown(-0.5, 1)
    ('−∞', '−0.5')
    """
    return fixed(value, decimals).replace("-", "−").replace("inf", "∞")


def largest(values: Iterable[float], decimals: int) -> list[int]:
    """Return the index of the largest finite number, or all indices of those that print alike.

    A reader sees numbers that print alike as equal, and on another processor they may be equal.

    >>> largest([0.1 + 0.2, 0.25, 0.3], 4), largest([-0.0, 0.0], 1), largest([math.inf], 1)
    ([0, 2], [0, 1], [])
    """
    printed = [float(fixed(value, decimals)) for value in values]
    most = max(filter(math.isfinite, printed), default=math.nan)
    return [i for i, value in enumerate(printed) if value == most]


def significant(value: float) -> str:
    """Return a number for a sentence: three significant digits, four from 1000 on.

    >>> significant(1024.0), significant(0.123456), significant(-20000.0), significant(3e-9)
    ('1024', '0.123', '−20,000', '3e−09')
    """
    exactly = settled(value)
    rounded = float(f"{exactly:.{3 if abs(exactly) < 1000 else 4}g}") + 0.0  # -0.0 + 0.0 is 0.0
    large = 10_000 <= abs(rounded) < 1e15
    return (f"{rounded:,.0f}" if large else f"{rounded:g}").replace("-", "−")
