"""Keep the intermediate results of one pass by name: all or some, to the end or until one."""

from collections.abc import Callable, Collection
from typing import Any

from transformer_lib.formulas.record import Record


class Reached(Exception):
    """The pass has come to the result after which nothing is asked for."""


def traced(
    run: Callable[[Record], Any], names: Collection[str] | None, until: str | None
) -> dict[str, Any]:
    """Return what a record keeps while `run` is called with it.

    Args:
        run: a function of a record, which computes a pass.
        names: the results to keep, or None for all.
        until: the result after which the pass stops, or None for the whole pass.

    Raises:
        ValueError: names or until has a name that the pass did not come to, or names is one name.

    >>> def run(record):
    ...     for number in range(5): record(str(number), number)
    >>> traced(run, None, "2"), traced(run, ["4"], None)
    ({'0': 0, '1': 1, '2': 2}, {'4': 4})
    """
    if isinstance(names, str):
        raise ValueError(f"names must be a collection of names, got {names!r}")
    kept: dict[str, Any] = {}
    wanted, met = None if names is None else set(names), set[str]()

    def record(name: str, value: Any) -> None:
        met.add(name)
        if wanted is None or name in wanted:
            kept[name] = value
        if name == until:
            raise Reached

    try:
        run(record)
    except Reached:
        pass
    missed = sorted((wanted or set()) - met)
    if missed:
        raise ValueError(f"names must be results of this pass, got {missed[0]!r}")
    if until is not None and until not in met:
        raise ValueError(f"until must be a result of this pass, got {until!r}")
    return kept
