"""The small assignment, and the judge for one notebook at a time."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exercises.grader.intake import assignment
from exercises.grader.mark import judge
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Result
from exercises.grader.run import sandbox, walls
from exercises.grader.sandboxed.limits import Limits
from tests.grader import marks
from tests.grader.solved import FOLDER


@pytest.fixture
def demo(tmp_path: Path) -> assignment.Assignment:
    return marks.demo(tmp_path)


@pytest.fixture(scope="module")
def nursery() -> Iterator[sandbox.Nursery]:
    """A nursery for what needs numpy alone."""
    made = sandbox.Nursery(walls.kit(Limits(), ("numpy",)))
    yield made
    made.close()


@pytest.fixture(scope="module")
def graded_alone() -> Iterator[Callable[..., Result]]:
    """Judge the notebook of a student for an assignment of the bank; each keeps its nursery.

    A new nursery imports the libraries of the assignment: with torch that takes seconds.
    """
    nurseries: dict[str, sandbox.Nursery] = {}
    computes = {"may_compute": True}  # most tests hand in the instructor's own solutions

    def grade(name: str, handed_in: bytes, **known: Any) -> Result:
        bank = assignment.load(FOLDER / name)
        limits = bank.limits._replace(call=known.pop("call", 10.0))
        if name not in nurseries:
            for module in bank.imports:
                importlib.import_module(module)  # as the command does, before any clock starts
            nurseries[name] = sandbox.Nursery(walls.kit(limits, bank.imports))
        case = Case("ann", handed_in, seed=1)._replace(**(computes | known))
        return judge.grade(bank, nurseries[name], limits, case)

    yield grade
    for nursery in nurseries.values():
        nursery.close()
