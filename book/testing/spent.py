"""A plugin of pytest that sums seconds of processor by file of tests: `-p book.testing.spent`.

A file's seconds are those of the process that runs it and of all that it started, also of programs
that still run. What a session shares, such as a browser, counts for the file that asks first, and
a program whose parent ended without waiting for it counts for none.
"""

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

OUTSIDE = "collecting and ending"
"""What stands in the place of a file before the first test and after the last."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Ask for the file that the sums go to."""
    parser.addoption("--spent", type=Path, help="write seconds of processor by file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Count in each process of a session that is asked for it."""
    if config.getoption("--spent"):
        config.pluginmanager.register(Spent(config))


class Spent:
    """The seconds of one process of a session; the one that shares out the tests adds them up."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: dict[str, float] = defaultdict(float)
        self.file, self.before = OUTSIDE, dict[int, Used]()
        # Workers count themselves, and are below the process that shares out the tests.
        self.workers = int(config.getoption("numprocesses", None) or 0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Begin a new sum where a test is of another file than the one before."""
        file = item.path.relative_to(self.config.rootpath).as_posix()
        if file != self.file:
            self.turn_to(file)
        return (yield)

    def turn_to(self, file: str) -> None:
        """Give the seconds since the last turn to the file that ran, and begin another."""
        now = used(with_children=not self.workers)
        self.seconds[self.file] += gained(self.before, now)
        self.file, self.before = file, now

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End the last sum; a worker sends its sums to the process that started it."""
        self.turn_to(OUTSIDE)
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["spent"] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker sent."""
        for file, seconds in getattr(node, "workeroutput", {}).get("spent", {}).items():
            self.seconds[file] += seconds

    def pytest_unconfigure(self) -> None:
        """Write all sums once, the dearest file first."""
        if not hasattr(self.config, "workerinput"):
            dearest = sorted(self.seconds.items(), key=lambda item: -item[1])
            text = json.dumps(dict(dearest), indent=1)
            self.config.getoption("--spent").write_text(text, encoding="utf-8")


class Used(NamedTuple):
    """Seconds of a process, and of the children that it has waited for; and its parent."""

    own: float
    waited: float
    parent: int


def used(with_children: bool) -> dict[int, Used]:
    """What this process and, where asked, all below it have used so far."""
    ours = psutil.Process()
    found = {}
    for each in [ours, *(ours.children(recursive=True) if with_children else ())]:
        with contextlib.suppress(psutil.Error):  # it has just ended
            times = each.cpu_times()
            waited = times.children_user + times.children_system
            found[each.pid] = Used(times.user + times.system, waited, each.ppid())
    return found


def gained(before: dict[int, Used], now: dict[int, Used]) -> float:
    """The seconds between two looks.

    A process that has ended between them is gone with what it used, or it stands among what its
    parent waited for, where the seconds of the first look are counted once more.
    """
    none = Used(0.0, 0.0, 0)
    ended: dict[int, float] = defaultdict(float)
    for pid in before.keys() - now.keys():
        ended[before[pid].parent] += before[pid].own + before[pid].waited
    total = 0.0
    for pid, each in now.items():
        last = before.get(pid, none)
        waited = each.waited - last.waited
        total += each.own - last.own + waited - min(waited, ended[pid])
    return total
