"""Submissions a minute and the slowest hostile one: `python benchmarks/grading.py`.

The assignment has two tasks, in numpy and in torch; the judge runs with two workers and its default
limits. A busy machine shows in the load, which is printed first.
"""

import argparse
import contextlib
import io
import json
import os
import tempfile
import time
from pathlib import Path

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
}


def notebook(student: str, kind: str, bodies: dict[str, str]) -> str:
    """Return a notebook that defines both tasks with these bodies."""

    def code(text: str, **marks: object) -> dict[str, object]:
        metadata = {"nbgrader": {"schema_version": 3, **marks}} if marks else {}
        return {"cell_type": "code", "metadata": metadata, "source": text}

    cells = [code(f'STUDENT_ID = "{student}"'), code(IMPORT[kind], grade_id="helpers")]
    for name, right in TASKS.items():
        cells.append(code(bodies[name], grade_id=name, solution=True))
        check = CHECK.format(make=MAKE[kind], name=name, right=right)
        cells.append(code(check, grade_id=f"{name}-check", grade=True, points=1))
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def right() -> dict[str, str]:
    """Return the bodies of the right answers."""
    return {name: f"def {name}(values):\n    return {text}" for name, text in TASKS.items()}


def wrong(line: str | None) -> dict[str, str]:
    """Return bodies that all do the same harm, when called or, for None, when defined."""
    if line is None:
        return dict.fromkeys(TASKS, "while True: pass")
    return {name: f"def {name}(values):\n    {line}" for name in TASKS}


def grade(kind: str, submissions: dict[str, dict[str, str]]) -> tuple[float, list[float]]:
    """Return the seconds it took, and the points."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "source/two").mkdir(parents=True)
        (root / "source/two/two.ipynb").write_text(notebook("", kind, right()))
        (root / "in").mkdir()
        for student, bodies in submissions.items():
            (root / f"in/{student}.ipynb").write_text(notebook(student, kind, bodies))
        words = ["two", str(root / "in"), "--out", str(root / "out")]
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            command.main([*words, "--source", str(root / "source")])
        seconds = time.perf_counter() - start
        rows = json.loads((root / "out/scores.json").read_text())["scores"]
        return seconds, [row["points"] for row in rows]


def main() -> None:
    """Print the speed for each kind, then the time of each hostile submission."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--count", type=int, default=60)
    reader.add_argument("--kinds", nargs="*", default=["numpy", "torch"])
    reader.add_argument("--hostile", action="store_true", help="takes minutes")
    given = reader.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for kind in given.kinds:
        seconds, points = grade(kind, {f"s{n}": right() for n in range(given.count)})
        assert points == [2.0] * given.count, points
        rate = 60 * given.count / seconds
        print(f"{kind}: {rate:.0f} submissions a minute, {given.count} in {seconds:.1f} s")
    for name, line in HOSTILE.items() if given.hostile else ():
        seconds, points = grade("numpy", {"ann": wrong(line)})
        assert points == [0.0], points
        print(f"{name}: {seconds:.1f} s")


if __name__ == "__main__":
    main()
