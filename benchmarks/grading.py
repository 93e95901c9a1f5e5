"""Submissions a minute and the slowest hostile one: `python benchmarks/grading.py`.

The assignment has two tasks, in numpy and in torch; the judge runs with two workers and its default
limits. A busy machine shows in the load, which is printed too. With --curve the cost of a
submission is measured for classes of several sizes, copies of one right notebook under other ids.
"""

import argparse
import contextlib
import io
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from book.tools import BWRAP
from exercises.grader import command

CHECK = """for size in (1, 3, 8):
    values = {make}
    assert {name}(values).shape == values.shape, "the shape is wrong"
    assert abs({name}(values) - {right}).max() < 1e-6, "the values are wrong"
"""
IMPORT = {"numpy": "import numpy as np", "torch": "import torch"}
MAKE = {"numpy": "np.arange(size) / 4", "torch": "torch.arange(size) / 4"}
TASKS = {"double": "2 * values", "square": "values * values"}
HOSTILE = {
    "infinite loop": "while True: pass",
    "memory bomb": "kept = [bytes(2**20) for _ in iter(int, 1)]",
    "fork bomb": "import os; [os.fork() for _ in iter(int, 1)]",
    "crash": "import ctypes; ctypes.string_at(0)",
    "loop as soon as it is read": None,
    "sleep": "import time; time.sleep(1000)",
    "sleep a little in each call": "import time; time.sleep(4.9); return {right}",
    "sleep a little in each cell": None,
}
CLASSES = (10, 30, 100)
SLEEPY = 30  # cells that sleep, each for less than a call may take


def notebook(student: str, kind: str, bodies: dict[str, str], more: Sequence[str] = ()) -> str:
    """Return a notebook that defines both tasks with these bodies, behind some more cells."""

    def code(text: str, **marks: object) -> dict[str, object]:
        metadata = {"nbgrader": {"schema_version": 3, **marks}} if marks else {}
        return {"cell_type": "code", "metadata": metadata, "source": text}

    cells = [code(f'STUDENT_ID = "{student}"'), code(IMPORT[kind], grade_id="helpers")]
    cells += [code(text) for text in more]
    for name, right in TASKS.items():
        cells.append(code(bodies[name], grade_id=name, solution=True))
        check = CHECK.format(make=MAKE[kind], name=name, right=right)
        cells.append(code(check, grade_id=f"{name}-check", grade=True, points=1))
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def right() -> dict[str, str]:
    """Return the bodies of the right answers."""
    return {name: f"def {name}(values):\n    return {text}" for name, text in TASKS.items()}


def hostile(name: str) -> str:
    """Return a notebook that does the harm of that name when called, read, or cell by cell."""
    line = HOSTILE[name]
    if name == "sleep a little in each cell":
        sleep = "import time; time.sleep(4.9)"
        return notebook("ann", "numpy", dict.fromkeys(TASKS, sleep), [sleep] * SLEEPY)
    if line is None:
        return notebook("ann", "numpy", dict.fromkeys(TASKS, "while True: pass"))
    bodies = {name: f"def {name}(values):\n    {line}" for name in TASKS}
    return notebook("ann", "numpy", bodies)


def grade(kind: str, submissions: dict[str, str], *words: str) -> tuple[float, list[float]]:
    """Return the seconds it took, and the points."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "source/two").mkdir(parents=True)
        (root / "source/two/two.ipynb").write_text(notebook("", kind, right()), encoding="utf-8")
        (root / "in").mkdir()
        for student, text in submissions.items():
            (root / f"in/{student}.ipynb").write_text(text, encoding="utf-8")
        given = ["two", str(root / "in"), "--out", str(root / "out"), *words]
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            command.main([*given, "--source", str(root / "source")])
        seconds = time.perf_counter() - start
        rows = json.loads((root / "out/scores.json").read_text(encoding="utf-8"))["scores"]
        return seconds, [row["points"] for row in rows]


def speed(kind: str, count: int, *words: str) -> float:
    """Return the seconds that a class takes; all its notebooks are right."""
    names = [f"s{number}" for number in range(count)]
    made = {name: notebook(name, kind, right()) for name in names}
    seconds, points = grade(kind, made, *words)
    assert points == [2.0] * count, points
    return seconds


def section() -> str:
    """Return, as Markdown, how the cost of a submission changes with the size of the class."""
    title = "### Submissions judged, two tasks in numpy, two workers\n"
    if not BWRAP.path():
        return f"{title}\nNot measured: there is no bubblewrap.\n"
    spent = {count: speed("numpy", count) for count in CLASSES}
    rows = [f"| {n} | {s:.1f} | {1e3 * s / n:.0f} |" for n, s in spent.items()]
    head = ["| submissions | seconds | ms a submission |", "|---|---|---|"]
    return "\n".join([title, *head, *rows]) + "\n"


def load() -> str:
    """Return how busy the machine is."""
    return f"load {os.getloadavg()[0]:.1f}"


def main() -> None:
    """Print what was asked for."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--count", type=int, default=60)
    reader.add_argument("--kinds", nargs="*", default=["numpy", "torch"])
    reader.add_argument("--curve", nargs="*", type=int, help="sizes, such as 10 100 1000 10000")
    reader.add_argument("--dask", metavar="WHERE", help="as of the command `grade`")
    reader.add_argument("--hostile", action="store_true", help="takes minutes")
    given = reader.parse_args()
    words = ["--dask", given.dask] if given.dask else []
    print(f"{os.cpu_count()} cores, {load()}")
    for kind in given.kinds:
        for count in given.curve or [given.count]:
            seconds = speed(kind, count, *words)
            print(
                f"{kind}: {60 * count / seconds:.0f} submissions a minute, {count} in "
                f"{seconds:.1f} s, {1000 * seconds / count:.1f} ms each, {load()}",
                flush=True,
            )
    for name in HOSTILE if given.hostile else ():
        seconds, points = grade("numpy", {"ann": hostile(name)})
        assert points == [0.0], points
        print(f"{name}: {seconds:.1f} s, {load()}", flush=True)


if __name__ == "__main__":
    main()
