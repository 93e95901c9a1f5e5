"""Callbacks that receive the intermediate values of a layer while it runs."""

from collections.abc import Callable
from typing import Any

Record = Callable[[str, Any], None]


def ignore(name: str, value: Any) -> None:
    """Keep nothing; a layer calls this function unless a trace is recorded."""


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


def all_of(record: Record, steps: Any) -> Any:
    """Record each computed field of a tuple of steps, and return the output of the tuple."""
    if record is not ignore:
        for name, value in steps._asdict().items():
            if value is not None:
                record(name, value)
    return steps.output
