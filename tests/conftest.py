from collections.abc import Iterator

import jaxtyping
import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: not part of `make check`")


@pytest.fixture
def unhooked() -> Iterator[None]:
    """Switch jaxtyping's hook off, so that bad input meets our own ValueError."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
