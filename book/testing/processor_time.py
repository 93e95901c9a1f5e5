"""Run a command and count its seconds of processor.

A browser ends some of its processes without asking what they used. On Linux those come to us,
because we say that we take what has lost its parent.
"""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from book.environment import environment
from book.paths import ROOT

TAKES_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER
running: set[int] = set()
"""What is waited for at this moment, in any thread."""


def run(command: Sequence[str], output: IO[bytes] | None = None) -> tuple[int, float]:
    """Run a command to its end: its exit status and its seconds of processor, 0 on Windows."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(TAKES_ORPHANS, 1, 0, 0, 0)
    started = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=output, stderr=output and subprocess.STDOUT
    )
    if not hasattr(os, "wait4"):
        return started.wait(), 0.0
    running.add(started.pid)
    _, status, used = os.wait4(started.pid, 0)
    running.remove(started.pid)
    started.returncode = os.waitstatus_to_exitcode(status)
    return started.returncode, used.ru_utime + used.ru_stime + orphans()


def orphans(tries: int = 20) -> float:
    """Wait a little for what has lost its parent; its seconds of processor."""
    total = 0.0
    for _ in range(tries):
        for pid in children() - running:
            ended, _, used = os.wait4(pid, os.WNOHANG)
            total += used.ru_utime + used.ru_stime if ended else 0.0
        if not children() - running:
            break
        time.sleep(0.1)
    return total


def children() -> set[int]:
    """The processes below this one, on Linux."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for each in lists for pid in each.read_text(encoding="utf-8").split()}
