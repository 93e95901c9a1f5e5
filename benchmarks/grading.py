"""What the judge takes for classes of several sizes: one right notebook under other ids.

The assignment has two tasks in numpy; the judge runs with two workers and its default limits.
"""

import contextlib
import io
import json
import tempfile
import time
from pathlib import Path

from book.testing.tools import BWRAP
from exercises.grader import command

CHECK = """for size in (1, 3, 8):
    values = np.arange(size) / 4
    assert {name}(values).shape == values.shape, "the shape is wrong"
    assert abs({name}(values) - {right}).max() < 1e-6, "the values are wrong"
"""
TASKS = {"double": "2 * values", "square": "values * values"}
CLASSES = (10, 30, 100)


def notebook(student: str) -> str:
    """Return a notebook that defines both tasks rightly."""

    def code(text: str, **marks: object) -> dict[str, object]:
        metadata = {"nbgrader": {"schema_version": 3, **marks}} if marks else {}
        return {"cell_type": "code", "metadata": metadata, "source": text}

    cells = [code(f'STUDENT_ID = "{student}"'), code("import numpy as np", grade_id="helpers")]
    for name, right in TASKS.items():
        body = f"def {name}(values):\n    return {right}"
        cells.append(code(body, grade_id=name, solution=True))
        check = CHECK.format(name=name, right=right)
        cells.append(code(check, grade_id=f"{name}-check", grade=True, points=1))
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def grade(students: list[str]) -> tuple[float, list[float]]:
    """Return the seconds it took, and the points."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "source/two").mkdir(parents=True)
        (root / "source/two/two.ipynb").write_text(notebook(""), encoding="utf-8")
        (root / "in").mkdir()
        for student in students:
            (root / f"in/{student}.ipynb").write_text(notebook(student), encoding="utf-8")
        given = ["two", str(root / "in"), "--out", str(root / "out")]
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            command.main([*given, "--source", str(root / "source")])
        seconds = time.perf_counter() - start
        rows = json.loads((root / "out/scores.json").read_text(encoding="utf-8"))["scores"]
        return seconds, [row["points"] for row in rows]


def speed(count: int) -> float:
    """Return the seconds that a class takes; all its notebooks are right."""
    seconds, points = grade([f"s{number}" for number in range(count)])
    assert points == [2.0] * count, points
    return seconds


def section() -> str:
    """Return, as Markdown, how the cost of a submission changes with the size of the class."""
    title = "### Submissions judged, two tasks in numpy, two workers\n"
    if not BWRAP.path():
        return f"{title}\nNot measured: there is no bubblewrap.\n"
    spent = {count: speed(count) for count in CLASSES}
    rows = [f"| {n} | {s:.1f} | {1e3 * s / n:.0f} |" for n, s in spent.items()]
    head = ["| submissions | seconds | ms a submission |", "|---|---|---|"]
    return "\n".join([title, *head, *rows]) + "\n"
