"""What a layer tells of its intermediates while it runs, to whoever listens."""

from collections.abc import Callable
from typing import Any

Record = Callable[[str, Any], None]


def ignore(name: str, value: Any) -> None:
    """Keep nothing: what a layer calls unless a trace listens."""


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
    """Record each field of a tuple of steps that was computed, and return its output."""
    if record is not ignore:
        for name, value in steps._asdict().items():
            if value is not None:
                record(name, value)
    return steps.output
