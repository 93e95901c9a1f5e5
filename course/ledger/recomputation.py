"""Recomputation: what an entry should say, from its printed inputs and from the chain's start."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from course.ledger import printed
from course.ledger.entries import Ledger, Number, Slip


@dataclass(frozen=True)
class Result:
    """The recomputed values of one entry (None where ill-posed) and the verdicts on it."""

    step: Any
    chain: Any
    verdict: str
    chain_verdict: str
    counted: Any = None


def function(name: str) -> Callable[..., Any]:
    """Return the compute function that an entry names.

    Args:
        name: "FILE.FUNCTION", a file of `course/recomputations` and a function in it.

    Raises:
        ValueError: there is no such function.
    """
    module, _, attribute = name.partition(".")
    try:
        found: Callable[..., Any] = getattr(
            import_module(f"course.recomputations.{module}"), attribute
        )
    except (ImportError, AttributeError):
        raise ValueError(f"{name!r} must name a function of course/recomputations/") from None
    return found


def numbers(text: Any) -> Any:
    """Turn printed characters, nested in lists, into a float, an array, or words left alone."""
    found = printed.leaves(text, printed.value)
    if isinstance(found, str):
        return found
    try:
        array = np.array(found, dtype=np.float64)
    except ValueError:
        return found
    return array if array.ndim else float(array)


def recompute(number: Number, ledger: Ledger) -> Result:
    """Compute an entry anew from its printed inputs and from the first inputs of its chain.

    Raises:
        ValueError: the entry names a function or another entry that does not exist, or a chain
            leads back to itself.
    """
    step = _apply(number, numbers_of(number.inputs))
    chain = chain_value(number, ledger)
    return Result(
        step=rounded(step),
        chain=rounded(chain),
        verdict=verdict(number.printed, step),
        chain_verdict=verdict(number.printed, chain),
        counted=rounded(nested(function(number.own)())) if number.own else None,
    )


def numbers_of(inputs: dict[str, Any]) -> dict[str, Any]:
    """Turn every printed input of a step into numbers."""
    return {name: numbers(text) for name, text in inputs.items()}


def chain_value(number: Number, ledger: Ledger, seen: tuple[str, ...] = ()) -> Any:
    """Return what the entry comes to when every earlier step is right and unrounded."""
    if number.id in seen:
        raise ValueError(f"the chain of {number.id} leads back to itself")
    inputs = numbers_of(number.inputs)
    for name, earlier in number.after.items():
        if earlier not in ledger.numbers:
            raise ValueError(f"{number.id} comes after {earlier!r}, which is no entry")
        before = chain_value(ledger.numbers[earlier], ledger, (*seen, number.id))
        if before is None:
            return None
        inputs[name] = np.array(before) if isinstance(before, list) else before
    return _apply(number, inputs)


def slip_value(slip: Slip, number: Number) -> Any:
    """Return what a mistake named by an entry computes."""
    return nested(function(slip.compute)(**numbers_of(slip.inputs or number.inputs)))


def verdict(text: Any, value: Any) -> str:
    """Judge printed characters against a recomputed value.

    Args:
        text: a string, or strings nested in lists.
        value: a float, a word, nested lists of them, or None where nothing can be computed.

    >>> verdict([["0.33", "0.67"]], [[1 / 3, 2 / 3]]), verdict(["0.5"], [0.4]), verdict("1", None)
    ('agrees', 'disagrees', 'ill-posed')
    """
    cells = agreement(text, value)
    if cells is None:
        return "ill-posed"
    return "agrees" if np.all(cells) else "disagrees"


def agreement(text: Any, value: Any) -> Any:
    """Return True or False for each printed cell, nested alike, or None where shapes differ."""
    if not isinstance(text, list):
        return None if value is None or isinstance(value, list) else printed.agrees(text, value)
    if not isinstance(value, list) or len(text) != len(value):
        return None
    cells = [agreement(t, v) for t, v in zip(text, value, strict=True)]
    return None if None in cells else cells


def nested(value: Any) -> Any:
    """Turn an array into lists of floats, nested alike; a word stays a word."""
    if isinstance(value, (np.ndarray, list, tuple)):
        return [nested(item) for item in value]
    return value if isinstance(value, str) else float(value)


def rounded(value: Any) -> Any:
    """Round to ten decimals, so that the file does not hold the noise of one machine."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    # Adding 0.0 turns -0.0 into 0.0.
    return value if value is None or isinstance(value, str) else round(value, 10) + 0.0


def _apply(number: Number, inputs: dict[str, Any]) -> Any:
    if not number.compute:
        return None
    compute = function(number.compute)
    try:
        return nested(compute(**inputs))
    except ValueError:
        # A formula refuses shapes that do not fit; the entry must say so (`ill_posed`, tested).
        return None
