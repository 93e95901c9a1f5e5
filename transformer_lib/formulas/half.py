"""Floats of 16 bits are for storage, not computation: squares and sums do not fit into 16 bits."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from transformer_lib.formulas.checks import Array, library

P = ParamSpec("P")
R = TypeVar("R")


def in_float32(formula: Callable[P, R]) -> Callable[P, R]:
    """Make a formula of 16-bit floats compute in float32 and round only its result.

    The square of 256 is larger than every float16, and a long sum in 16 bits soon stops growing.
    Nothing changes if an array has more bits. A step before the output whose value does not fit
    into 16 bits, such as a variance, becomes inf.

    >>> import numpy as np
    >>> in_float32(lambda x: x * x / 300)(np.array([300.0], np.float16))
    array([300.], dtype=float16)
    """

    @functools.wraps(formula)
    def computed(*args: P.args, **kwargs: P.kwargs) -> Any:
        narrow: Any = None
        for x in (*args, *kwargs.values()):  # in place: this runs in every call of every formula
            dtype = None if isinstance(x, int | float | np.generic) else getattr(x, "dtype", None)
            if getattr(dtype, "kind", "") == "f" or getattr(dtype, "is_floating_point", False):
                if dtype.itemsize != 2:  # type: ignore[union-attr]
                    return formula(*args, **kwargs)
                narrow = x if narrow is None else narrow
        if narrow is None:
            return formula(*args, **kwargs)
        dtype, wide = narrow.dtype, library(narrow).float32
        plain: Any = formula
        found = plain(*(_as(wide, x) for x in args), **{n: _as(wide, kwargs[n]) for n in kwargs})
        return _steps(dtype, found) if isinstance(found, tuple) else _as(dtype, found)

    return computed


def is_float(x: Any) -> bool:
    """Return whether x is a numpy or torch array or number with a floating-point dtype."""
    if isinstance(x, int | float):  # a length in a compiled model answers nothing else
        return isinstance(x, np.generic)
    dtype = getattr(x, "dtype", None)
    return getattr(dtype, "kind", None) == "f" or getattr(dtype, "is_floating_point", False) is True


def _steps(dtype: Any, found: Any) -> Any:
    """Return a tuple of steps, of which those before the output are inf where they do not fit."""
    *before, output = found
    with np.errstate(over="ignore"):
        before = [_as(dtype, x) for x in before]
    return type(found)(*before, _as(dtype, output))


def _as(dtype: Any, x: Array) -> Array:
    if not is_float(x):
        return x
    return x.astype(dtype) if isinstance(x, np.ndarray | np.generic) else x.to(dtype)
