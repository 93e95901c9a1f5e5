"""Unusual notebooks of every assignment keep the points that a kernel gives them."""

import importlib
import json
import shutil
import subprocess
import sys

import pytest

from exercises.grader import assignment, judge, sandbox, walls
from exercises.grader.attempt import Case
from exercises.grader.sandboxed.limits import Limits
from tests.grader import unusual
from tests.grader.solved import FOLDER, NAMES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
EACH = 11  # notebooks an assignment: 99 in all


def by_kernel(made, folder):
    """Return what the checks of each notebook say in a kernel."""
    rows = [[[c.get("whole", c["source"]), "whole" in c] for c in each["cells"]] for each in made]
    (folder / "notebooks.json").write_text(json.dumps(rows), encoding="utf-8")
    command = [sys.executable, "-m", "tests.grader.kernel", str(folder / "notebooks.json")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_the_judge_gives_what_a_kernel_gives(name, tmp_path):
    kinds, made = zip(*unusual.notebooks(name, EACH), strict=True)
    checks = len(assignment.load(FOLDER / name).tasks)
    # These notebooks are right: the comparison must not rest on what a kernel refuses.
    assert by_kernel(made, tmp_path) == [[""] * checks] * EACH
    lost = {k: said for k, each in zip(kinds, made, strict=True) if (said := losses(name, each))}
    assert lost == {}


@pytest.fixture(autouse=True, scope="module")
def nurseries():
    yield
    for nursery in NURSERIES.values():
        nursery.close()


NURSERIES: dict[str, sandbox.Nursery] = {}


def losses(name, made):
    """Return the tasks that the judge takes points for, and why."""
    bank = assignment.load(FOLDER / name)
    limits = Limits(call=10.0).for_torch() if bank.uses_torch else Limits(call=10.0)
    if name not in NURSERIES:
        for module in bank.imports:
            importlib.import_module(module)  # as the command does, before any clock starts
        NURSERIES[name] = sandbox.Nursery(walls.kit(limits, bank.imports))
    case = Case("ann", unusual.handed_in(made), seed=1)
    result = judge.grade(bank, NURSERIES[name], limits, case)
    lost = [task for task in result.tasks if task.points < task.possible]
    return {task.name: (task.reason, result.notes) for task in lost}
