"""Printed numbers: the characters of a note, what they stand for and when a value agrees."""

import ast
import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

# A float computation of a few dozen steps errs by some 1e-15 of its size; a value this close to a
# tie counts as the tie, so that 0.15 held as 0.1499999999999999944 may print as 0.1 or as 0.2.
NOISE = Fraction(1, 10**12)

_UNITS = {"": Fraction(1), "%": Fraction(1, 100), "million": Fraction(10**6)}
_UNITS |= {"billion": Fraction(10**9), "b": Fraction(10**9)}
_DECIMAL = re.compile(r"([+-]?\d+(?:\.(\d*))?)\s*(%|million|billion|b)?")
_EXPRESSION = re.compile(r"(?:[\d.+\-*/^() ]|sqrt|exp|sin|cos)*\d(?:[\d.+\-*/^() ]|sqrt|exp)*")
_CALLS: dict[str, Callable[[float], float]] = {
    "ln": math.log,
    **{name: getattr(math, name) for name in ("sqrt", "exp", "sin", "cos", "tanh")},
}
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def value(text: str) -> float | str:
    """Return the number that the characters stand for, or the text itself where it is a word.

    Args:
        text: a decimal ("0.50"), a percentage, "1.5 billion", "-inf" or an expression such as
            "1/sqrt(3)" or "10000^0".

    >>> value("97%"), value("1/sqrt(4)"), value("-inf"), value("cat")
    (0.97, 0.5, -inf, 'cat')
    """
    if text in ("inf", "-inf"):
        return float(text)
    if match := _DECIMAL.fullmatch(text):
        return float(Fraction(match[1]) * _UNITS[match[3] or ""])
    if _EXPRESSION.fullmatch(text):
        return evaluate(ast.parse(text.replace("^", "**"), mode="eval").body)
    return text


def agrees(text: str, computed: float | str) -> bool:
    """Say whether the computed value rounds to the characters printed.

    A decimal must be correctly rounded at its own precision, either neighbor on a tie. An integer
    without a unit and an expression must be exact; a word must be the same word.

    >>> agrees("0.16", 0.1556), agrees("0.15", 0.1556), agrees("0.1", 0.15), agrees("2", 2.4)
    (True, False, True, False)
    """
    if isinstance(computed, str) or isinstance(value(text), str):
        return text == computed
    if not math.isfinite(computed):
        return bool(value(text) == computed)
    match = _DECIMAL.fullmatch(text)
    if match is None:
        # Exact as far as a stored value goes, which keeps ten decimals.
        return math.isclose(float(value(text)), computed, rel_tol=1e-9, abs_tol=1e-9)
    unit = _UNITS[match[3] or ""]
    exact = match[2] is None and match[3] is None
    half = Fraction(0) if exact else unit / 10 ** len(match[2] or "") / 2
    exactly = Fraction(computed)
    error = abs(exactly - Fraction(match[1]) * unit)
    return error <= half + NOISE * max(Fraction(1), abs(exactly))


def evaluate(node: ast.expr) -> float:
    """Return the value of an expression of numbers.

    Raises:
        ValueError: it holds something else.
    """
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -evaluate(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](evaluate(left), evaluate(right))
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _CALLS:
            return _CALLS[name](evaluate(argument))
    raise ValueError(f"an expression holds numbers, + - * / ^ and {', '.join(_CALLS)}: {node}")


def leaves(printed: Any, form: Callable[[str], Any]) -> Any:
    """Apply `form` to every string of a nested list, keeping the nesting."""
    if isinstance(printed, list):
        return [leaves(item, form) for item in printed]
    return form(printed)
