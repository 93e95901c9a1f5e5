"""Where the time of a body goes: its costliest operations of torch beside those of a reference."""

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

from torch.profiler import ProfilerActivity, profile

SHOWN = 6
TURNS = 3


class Spent(NamedTuple):
    """How often an operation was called, and the milliseconds in it and in nothing it calls."""

    calls: int
    ms: float


def operations(bodies: list[Callable[[], Any]]) -> list[dict[str, Spent]]:
    """Return what the operations of a call of each body take: the medians of calls in turn."""
    turns = [[once(body) for body in bodies] for _ in range(TURNS)]
    return [middle(looks) for looks in zip(*turns, strict=True)]


def middle(looks: Sequence[dict[str, Spent]]) -> dict[str, Spent]:
    """Return the median of each operation that all looks have seen."""
    return {
        key: Spent(spent.calls, median(look[key].ms for look in looks))
        for key, spent in looks[0].items()
        if all(key in look for look in looks)
    }


def once(body: Callable[[], Any]) -> dict[str, Spent]:
    """Return what the operations of one call take."""
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        body()
    return {
        each.key: Spent(each.count, each.self_cpu_time_total / 1e3)
        for each in watched.key_averages()
    }


def table(name: str, body: Callable[[], Any], reference: str, other: Callable[[], Any]) -> str:
    """Return a Markdown table of the body's costliest operations, and the reference's same ones."""
    ours, theirs = operations([body, other])
    whole = [sum(each.ms for each in found.values()) for found in (ours, theirs)]
    lines = [
        f"| operation | {name}: calls | ms | share | {reference}: calls | ms |",
        "|---|---|---|---|---|---|",
    ]
    for key, spent in sorted(ours.items(), key=lambda pair: -pair[1].ms)[:SHOWN]:
        base = theirs.get(key, Spent(0, 0.0))
        lines.append(
            f"| `{key}` | {spent.calls} | {spent.ms:.2f} | {spent.ms / whole[0]:.0%} | "
            f"{base.calls} | {base.ms:.2f} |"
        )
    calls = [sum(each.calls for each in found.values()) for found in (ours, theirs)]
    lines.append(f"| all | {calls[0]} | {whole[0]:.2f} | 100% | {calls[1]} | {whole[1]:.2f} |")
    return "\n".join(lines)
