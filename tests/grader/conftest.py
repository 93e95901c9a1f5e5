"""The small assignment, and the judge for one notebook at a time."""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from exercises.grader import command
from exercises.grader.intake import assignment
from exercises.grader.mark import judge, proof
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Result
from exercises.grader.run import isolation, sandbox
from exercises.grader.run.errors import Postponed
from exercises.grader.run.job import Batch
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, marks
from tests.grader.solved import task_set


@pytest.fixture
def demo(tmp_path: Path) -> assignment.Assignment:
    return marks.demo(tmp_path)


@pytest.fixture(scope="session", autouse=True)
def proven_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Prove an assignment once for all classes: the proof rests on it and its limits alone.

    Tests of the proof itself use `own_proof`.
    """
    kept = tmp_path_factory.mktemp("proofs")

    def prove(work: Batch, workers: int) -> None:
        place = kept / work.assignment.digest
        place.mkdir(exist_ok=True)
        proof.prove(work._replace(out=place, seed=1), workers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "proof", SimpleNamespace(prove=prove))
        yield


@pytest.fixture
def own_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make and keep the proof of each class as the command does."""
    monkeypatch.setattr(command, "proof", proof)


@pytest.fixture(scope="session")
def fork_server() -> Iterator[sandbox.ForkServer]:
    """A fork server for what needs numpy alone."""
    made = sandbox.ForkServer(isolation.kit(Limits(), ("numpy",)))
    yield made
    made.close()


@pytest.fixture
def alone() -> Iterator[None]:
    """Let a test of code that never ends wait for its like."""
    with course.alone():
        yield


@pytest.fixture(scope="session")
def graded_alone() -> Iterator[Callable[..., Result]]:
    """Judge the notebook of a student for an assignment of the bank; each keeps its fork server.

    A new fork server imports the libraries of the assignment: with torch that takes seconds.
    """
    fork_servers: dict[str, sandbox.ForkServer] = {}
    computes = {"may_compute": True}  # most tests hand in the instructor's own solutions

    def grade(name: str, handed_in: bytes, **known: Any) -> Result:
        bank = task_set(name).judging(known.get("versions", ()))
        limits = bank.limits._replace(call=known.pop("call", 10.0))
        server = f"{name} {bank.imports}"
        if server not in fork_servers:
            for module in bank.imports:
                importlib.import_module(module)  # as the command does, before any clock starts
            fork_servers[server] = sandbox.ForkServer(isolation.kit(limits, bank.imports))
        case = Case("ann", handed_in, seed=1)._replace(**(computes | known))
        for _ in range(course.TRIES - 1):
            with contextlib.suppress(Postponed):  # other programs had the processor
                return judge.grade(bank, fork_servers[server], limits, case)
        return judge.grade(bank, fork_servers[server], limits, case)

    yield grade
    for fork_server in fork_servers.values():
        fork_server.close()
