"""Fixtures of all tests: the array library, the door to bad input, and examples drawn alike."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import jaxtyping
import numpy as np
import pytest
from hypothesis import settings

import book  # noqa: F401  # before a test imports Jupyter: it says how that is quick
from tests.long import part_of

# Draw the same examples at every run, and never fail for time: machines are busy.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")

Backend = Callable[[Any], Any]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: not part of `make check`")
    config.addinivalue_line("markers", "published: needs the file that `make real` gets")
    config.addinivalue_line(
        "markers", "long(part): what `make test` leaves to that part of `make test-all`"
    )


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files of slow tests, so that none is left for the end."""
    for item in items:
        if part := part_of(item.nodeid):
            item.add_marker(pytest.mark.long(part=part))
        if item.get_closest_marker("published"):
            leave_out_without_the_model(item, part)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def leave_out_without_the_model(item: pytest.Item, part: str) -> None:
    """Skip it where the file is not there; in CI that is a failure, so `make test` leaves it out.

    Raises:
        UsageError: no row of tests/long.py leaves the test to the part `real`.
    """
    if part != "real":
        raise pytest.UsageError(
            f"{item.nodeid} needs the model and is not in the part real of tests/long.py"
        )
    from course.published import fetch  # not before jaxtyping has hooked the library

    if not fetch.is_there() and "CI" not in os.environ:
        item.add_marker(pytest.mark.skip(reason="make real gets the file"))


@pytest.fixture(params=["numpy", "torch"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Turn lists and numpy arrays into arrays of the library under test."""
    if request.param == "numpy":
        return np.asarray
    import torch

    return lambda x: torch.as_tensor(np.asarray(x))


@pytest.fixture
def unhooked() -> Iterator[None]:
    """Switch jaxtyping's hook off, so that bad input meets our own ValueError."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
