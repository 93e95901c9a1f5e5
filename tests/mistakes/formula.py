"""What a right formula does, and whether another function does it too."""

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Function = Callable[..., Any]


class Formula(NamedTuple):
    """A right function, what it must keep to, and arguments for which mistakes show."""

    right: Function
    cases: Sequence[tuple[Any, ...]] = ()
    properties: Sequence[Callable[[Function], Any]] = ()


def keeps_to(function: Function, formula: Formula) -> bool:
    """Tell whether a function has the properties of a formula and agrees with it in each case."""
    agreed = all(agrees(function, formula.right, case) for case in formula.cases)
    return agreed and all(holds(function) for holds in formula.properties)


def agrees(function: Function, right: Function, arguments: tuple[Any, ...]) -> bool:
    """Tell whether two functions give the same, and the first leaves its arguments alone."""
    given = copy.deepcopy(arguments)
    result = function(*given)
    return same(given, arguments) and same(result, right(*arguments))


def same(a: Any, b: Any) -> bool:
    """Compare numbers, arrays and containers of them."""
    if isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in b)
    if isinstance(b, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return a == b if isinstance(b, str) else close(a, b)


def close(a: Any, b: Any) -> bool:
    """Compare two arrays, their shapes included; nan is like nan alone."""
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, atol=1e-7, equal_nan=True)
