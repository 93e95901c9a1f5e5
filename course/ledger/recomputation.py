"""Recomputation: what an entry should say, from its printed inputs and from the chain's start."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from course.ledger import printed
from course.ledger.entries import Ledger, Number, Slip

UNKNOWN = "?"
"""Stands for a cell that depends on numbers which a note assumes and does not derive."""


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
    """Return what the entry comes to when every earlier step is right and unrounded.

    What an ill-posed entry leads to is nan, cell by cell; None stands for "no cell is known".
    """
    if number.id in seen:
        raise ValueError(f"the chain of {number.id} leads back to itself")
    inputs = numbers_of(number.inputs)
    for name, earlier in number.after.items():
        if earlier not in ledger.numbers:
            raise ValueError(f"{number.id} comes after {earlier!r}, which is no entry")
        before = chain_value(ledger.numbers[earlier], ledger, (*seen, number.id))
        if before is None:
            before = printed.leaves(ledger.numbers[earlier].printed, lambda _: np.nan)
        inputs[name] = np.array(before) if isinstance(before, list) else before
    value = _apply(number, inputs)
    return None if all(map(_unknown, _flat(value))) else value


def slip_value(slip: Slip, number: Number) -> Any:
    """Return what a mistake named by an entry computes."""
    return nested(function(slip.compute)(**numbers_of(slip.inputs or number.inputs)))


def explained(number: Number) -> str:
    """Return "whole", "part" or "": how many of the wrong cells of a step the slips give.

    A slip that names no cells gives the whole value; one that names some gives these.
    """
    if not number.slips:
        return ""
    missed = np.array(np.logical_not(agreement(number.printed, number.step)))
    for slip in number.slips:
        for cell in slip.cells or [[]]:
            missed[tuple(cell)] = False
    return "part" if missed.any() else "whole"


def verdict(text: Any, value: Any) -> str:
    """Judge printed characters against a recomputed value.

    One known cell that is wrong decides; where some are unknown and the others right, nothing does.

    Args:
        text: a string, or strings nested in lists.
        value: a float, a word, nested lists of them, or None where nothing can be computed.

    >>> verdict([["0.33", "0.67"]], [[1 / 3, 2 / 3]]), verdict(["0.5"], [0.4]), verdict("1", None)
    ('agrees', 'disagrees', 'ill-posed')
    >>> verdict(["0.5", "2"], [0.4, np.nan]), verdict(["0.5", "2"], [0.5, np.nan])
    ('disagrees', 'ill-posed')
    """
    cells = _flat(agreement(text, value))
    if False in cells:
        return "disagrees"
    return "ill-posed" if None in cells or UNKNOWN in cells else "agrees"


def agreement(text: Any, value: Any) -> Any:
    """Return True, False or "?" for each printed cell, nested alike, or None if shapes differ."""
    if not isinstance(text, list):
        if value is None or isinstance(value, list):
            return None
        return UNKNOWN if _unknown(value) else printed.agrees(text, value)
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
    if value is None or isinstance(value, str):
        return value
    # Adding 0.0 turns -0.0 into 0.0.
    return UNKNOWN if _unknown(value) else round(value, 10) + 0.0


def _unknown(value: Any) -> bool:
    return bool(value == UNKNOWN or value != value)


def _flat(value: Any) -> list[Any]:
    return [x for item in value for x in _flat(item)] if isinstance(value, list) else [value]


def _apply(number: Number, inputs: dict[str, Any]) -> Any:
    if not number.compute:
        return None
    compute = function(number.compute)
    try:
        return nested(compute(**inputs))
    except ValueError:
        # A formula refuses shapes that do not fit; the entry must say so (`ill_posed`, tested).
        return None
