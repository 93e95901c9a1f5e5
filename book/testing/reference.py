"""The unit of the budgets: seconds of processor that a fixed job takes at this moment.

A processor that other programs use, or a slower one, needs more seconds for the same work, here as
in a test. So what a part of `make test` took is divided by what this job took beside it.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections import Counter

import numpy as np

from book.environment import environment
from book.paths import ROOT

ROUNDS = 17
"""Of a third of the job. So long, all tests of 437668c take 21 minutes of these units."""


def job() -> float:
    """Seconds of a job: three times the median of its thirds, so that no short noise counts."""
    return 3 * statistics.median(third() for _ in range(3))


def third() -> float:
    """Work in plain Python and in NumPy, as tests do; seconds of processor."""
    start = time.process_time()
    grid = np.random.default_rng(0).random((240, 240))
    for _ in range(ROUNDS):
        words = Counter(f"{number * number % 997:03d}"[::-1] for number in range(60_000))
        table = {word: words[word] for word in sorted(words)}
        grid = np.exp(grid @ grid / len(table))
        grid /= grid.sum(axis=-1, keepdims=True)
    return time.process_time() - start


def unit(copies: int) -> float:
    """The mean seconds of this many jobs at once: as many as there are workers in a part."""
    command = [sys.executable, "-m", __name__]
    jobs = [
        subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(copies)
    ]
    return sum(float(each.communicate()[0]) for each in jobs) / copies


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(job())
