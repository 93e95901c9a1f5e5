"""Callbacks that receive the intermediate values of a layer while it runs, and may replace them."""

from collections.abc import Callable
from typing import Any

Record = Callable[[str, Any], Any]
"""A function of a name and a value: what it returns takes the value's place, unless it is None."""


def ignore(name: str, value: Any) -> None:
    """Keep nothing; a layer calls this function unless a trace is recorded."""


def passed(record: Record, name: str, value: Any) -> Any:
    """Record a value, and return what goes on: the value, or what the record puts in its place.

    >>> passed(ignore, "scores", 3), passed(lambda name, value: 2 * value, "scores", 3)
    (3, 6)
    """
    if record is ignore:
        return value
    replaced = record(name, value)
    return value if replaced is None else replaced


def under(record: Record, prefix: str) -> Record:
    """Return a record whose names all start with `prefix`.

    >>> kept = {}
    >>> under(kept.__setitem__, "layers.0.")("resid_pre", 3)
    >>> kept
    {'layers.0.resid_pre': 3}
    """
    if record is ignore:
        return ignore
    return lambda name, value: record(prefix + name, value)


def one_by_one(record: Record, steps: Any, follow: Callable[[str, Any], Any]) -> Any:
    """Record each computed field of a tuple of steps, and return the steps that result.

    Args:
        record: may replace a field.
        steps: a named tuple, in the order in which it was computed.
        follow: a function of a replaced field's name and the steps with it, which returns them with
            every later step computed from it.
    """
    for name in steps._fields:
        value = getattr(steps, name)
        if value is not None:
            goes_on = passed(record, name, value)
            if goes_on is not value:
                steps = follow(name, steps._replace(**{name: goes_on}))
    return steps
