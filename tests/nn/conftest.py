"""Fixtures of the module tests."""

from collections.abc import Iterator

import jaxtyping
import pytest
from hypothesis import settings

# Draw the same examples at every run, and never fail for time: machines are busy.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture
def unhooked() -> Iterator[None]:
    """Switch jaxtyping's hook off, so that bad input meets our own ValueError."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
