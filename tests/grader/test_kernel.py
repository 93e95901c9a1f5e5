"""Unusual notebooks of every assignment keep the points that a kernel gives them."""

import json
import subprocess
import sys

import pytest

from tests.grader import course, unusual
from tests.grader.solved import NAMES, task_set

pytestmark = course.SANDBOXED
EACH = 11  # notebooks an assignment: 176 in all


def by_kernel(made, folder):
    """Return what the checks of each notebook say in a kernel."""
    rows = [[[c.get("whole", c["source"]), "whole" in c] for c in each["cells"]] for each in made]
    (folder / "notebooks.json").write_text(json.dumps(rows), encoding="utf-8")
    command = [sys.executable, "-m", "tests.grader.kernel", str(folder / "notebooks.json")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_the_judge_gives_what_a_kernel_gives(graded_alone, name, tmp_path):
    kinds, made = zip(*unusual.notebooks(name, EACH), strict=True)
    checks = len(task_set(name).tasks)
    # These notebooks are right: the comparison must not rest on what a kernel refuses.
    assert by_kernel(made, tmp_path) == [[""] * checks] * EACH
    results = [graded_alone(name, unusual.handed_in(each)) for each in made]
    assert {k: lost for k, r in zip(kinds, results, strict=True) if (lost := losses(r))} == {}


def losses(result):
    """Return the tasks that the judge takes points for, and why."""
    lost = [task for task in result.tasks if task.points < task.possible]
    return {task.name: (task.reason, result.notes) for task in lost}
