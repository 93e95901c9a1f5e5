"""Fixtures of the formula tests: the array library, and the door to bad input."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import settings

# Draw the same examples at every run, and never fail for time: machines are busy.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")

Backend = Callable[[Any], Any]


@pytest.fixture(params=["numpy", "torch"])
def backend(request: pytest.FixtureRequest) -> Backend:
    """Turn lists and numpy arrays into arrays of the library under test."""
    return np.asarray if request.param == "numpy" else lambda x: torch.as_tensor(np.asarray(x))
