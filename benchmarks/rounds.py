"""Bodies that take turns, and what their times say: quartiles and ratios."""

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Times = dict[str, list[float]]


def interleaved(bodies: Mapping[str, Callable[[], Any]], rounds: int, warm_up: int = 1) -> Times:
    """Return the seconds of every body in each round.

    A round calls each once, the first of one round is the last of the next, so that neither a busy
    moment nor what a neighbor leaves in the caches falls on one alone.
    """
    names = list(bodies)
    times: Times = {name: [] for name in names}
    for turn in range(warm_up + rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            start = time.perf_counter()
            bodies[name]()
            if turn >= warm_up:
                times[name].append(time.perf_counter() - start)
    return times


def ratio(times: Times, name: str, reference: str) -> float:
    """Return the median over rounds of a body's time over the reference's in the same round."""
    pairs = zip(times[name], times[reference], strict=True)
    return statistics.median(own / base for own, base in pairs)


def table(times: Times, reference: str) -> str:
    """Return a Markdown table: quartiles in milliseconds and the ratio, a row a body."""
    head = f"| | lower quartile, ms | median | upper quartile | ratio to {reference} |"
    lines = [head, "|---|---|---|---|---|"]
    for name, spent in times.items():
        low, middle, high = (1e3 * each for each in _quartiles(spent))
        lines.append(
            f"| {name} | {low:.2f} | {middle:.2f} | {high:.2f} | "
            f"{ratio(times, name, reference):.2f} |"
        )
    return "\n".join(lines)


def _quartiles(spent: list[float]) -> list[float]:
    return statistics.quantiles(spent, n=4, method="inclusive")
