"""A small assignment and submissions to it, written as notebooks."""

import contextlib
import fcntl
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

import exercises
from exercises.grader.command import main
from exercises.grader.run.job import STARVED

BUBBLEWRAP = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
SANDBOXED = [pytest.mark.slow, BUBBLEWRAP]
TRIES = 6
"""How often a test grades while other programs take the processor from what it times."""


def in_sandbox(test):
    """Mark one test or class as SANDBOXED marks a file."""
    return pytest.mark.slow(BUBBLEWRAP(test))


HELPERS = """
import random

import numpy as np


def expect(result, shape):
    assert isinstance(result, np.ndarray), "return an array"
    assert result.shape == shape, f"the shape must be {shape}, it is {result.shape}"


def numbers_for(student_id, task):
    draw = random.Random(f"{' '.join(student_id.split()).casefold()}:{task}")
    return [draw.randrange(1, 100), draw.randrange(1, 100)]
"""
DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION\n"
DOUBLE_CHECK = """assert double(2) == 4, "double(2) must be 4"
### BEGIN HIDDEN TESTS
assert double(21) == 42, "wrong for another number"
### END HIDDEN TESTS
"""
SOFTMAX = '''def softmax(scores):
    """Turn scores into weights."""
    ### BEGIN SOLUTION
    shifted = np.exp(scores - scores.max())
    return shifted / shifted.sum()
    ### END SOLUTION
'''
SOFTMAX_CHECK = """rows = np.log([1.0, 2.0, 5.0])
weights = softmax(rows)
expect(weights, (3,))
assert np.allclose(weights, [0.125, 0.25, 0.625]), "the weights are wrong"
### BEGIN HIDDEN TESTS
hidden_secret_rng = np.random.default_rng(globals().get("SEED", 1))
for size in hidden_secret_rng.integers(2, 9, size=5):
    scores = hidden_secret_rng.normal(size=size)
    found = softmax(scores)
    # Careless on purpose: what is expected comes from the argument after the call.
    wanted = np.exp(scores) / np.exp(scores).sum()
    expect(found, scores.shape)
    assert np.allclose(found, wanted), "wrong for other scores"
### END HIDDEN TESTS
"""
ANSWER = """### BEGIN SOLUTION
own_step = numbers_for(STUDENT_ID, "answer")
answer = sum(own_step)
### END SOLUTION
"""
ANSWER_CHECK = """assert isinstance(answer, int), "the answer is a whole number"
### BEGIN HIDDEN TESTS
assert answer == sum(numbers_for(STUDENT_ID, "answer")), "this is not the sum of your numbers"
### END HIDDEN TESTS
"""
POINTS = {"double": 2, "softmax": 3, "answer": 1}
CHECKS = {"double": DOUBLE_CHECK, "softmax": SOFTMAX_CHECK, "answer": ANSWER_CHECK}
SOLUTIONS = {"double": DOUBLE, "softmax": SOFTMAX, "answer": ANSWER}
HINT = "<details><summary>Hint 1: start</summary>\n\nThink of {}.\n\n</details>"
UNWRITTEN = 'def {0}(x):\n    raise NotImplementedError("{0} is not yet written")\n'


def code(text, **marks):
    metadata = {"nbgrader": {"schema_version": 3, **marks}} if marks else {}
    return {"cell_type": "code", "metadata": metadata, "source": text, "outputs": []}


def markdown(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def notebook(cells):
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}


def submission(student, answers=(), checks=CHECKS):
    """Return a notebook: the solutions, `answers` in the place of some."""
    cells = [code(f'STUDENT_ID = "{student}"'), code(HELPERS, grade_id="helpers", locked=True)]
    for task, text in (SOLUTIONS | dict(answers)).items():
        cells += [markdown(f"## The task {task}"), code(text, grade_id=task, solution=True)]
        cells.append(markdown(HINT.format(task)))
        cells.append(code(checks[task], grade_id=f"{task}-check", grade=True, points=POINTS[task]))
    return notebook(cells)


def write(folder, student, content):
    """Hand in a notebook."""
    path = folder / student / "demo.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def write_source(folder):
    """Write the instructor's bank; return its folder."""
    write(folder, "demo", submission(""))
    return folder


def hand_in(root, **answers):
    """Write the bank, and for each student the solutions with these answers in their places."""
    write_source(root / "source")
    for student, own in answers.items():
        write(root / "submissions", student, submission(student, own))


def environment(**more):
    """What a command sees of this test's own environment, whatever the test has changed in it."""
    return {**os.environ, "PYTHONPATH": str(Path(exercises.__file__).parents[1]), **more}


def command(root, *words, folder="submissions", name="demo"):
    """The command on what was handed in into root/FOLDER, with root/source."""
    made = [sys.executable, "-m", "exercises.grader", name, str(root / folder)]
    return [*made, "--out", str(root / "out"), "--source", str(root / "source"), *words]


def grade(root, *words, ends=(0, 3), apart=False, **places):
    """Run the command; return what it said, if it ends with one of these codes.

    A Python of its own, `apart`, imports all libraries once more: few tests depend on one.
    """
    made = command(root, *words, **places)
    said = in_its_own_python(made) if apart else in_this_python(made)
    assert said.returncode in ends, said.stderr  # 3: not all have points
    return said


@contextlib.contextmanager
def alone():
    """Wait until no other test is here whose code runs until its time is over.

    Two of them would take each other's processor, and the judge blames no code for that.
    """
    with open(Path(tempfile.gettempdir()) / "judge-times.lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def graded(root, *words, **places):
    """Grade, and again what the judge could not judge because other programs had the processor."""
    for _ in range(TRIES):
        said = grade(root, *words, **places)
        if not any(STARVED in str(row) for row in scores(root).values()):
            break
    return said


def in_its_own_python(made):
    return subprocess.run(made, capture_output=True, text=True, timeout=1200, env=environment())


def in_this_python(made):
    """Carry out the command here, with one worker, because each starts a fork server."""
    _, _, _, *words = map(str, made)
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # which the command prints, and the tests would raise
        code = main(["--workers", "1", *words])
    return subprocess.CompletedProcess(made, code, out.getvalue(), err.getvalue())


def scores(root):
    """Return the rows of scores.json by student."""
    data = json.loads((root / "out" / "scores.json").read_text(encoding="utf-8"))
    return {row["student"]: row for row in data["scores"]}


def page(root, student):
    """Return what a student reads."""
    return (root / "out/feedback" / f"{student}.html").read_text(encoding="utf-8")


def points(row):
    return tuple(task["points"] for task in row["tasks"].values())
