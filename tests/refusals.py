"""The test that each of several calls is refused with its message."""

from collections.abc import Callable
from typing import Any

import pytest


def refusals(*cases: Any, of: Callable[[Any], Any] = lambda call: call()) -> Callable[..., None]:
    """Make a test of cases (message, call); with `of`, of (message, what `of` is called with)."""

    @pytest.mark.parametrize(("message", "given"), cases)
    def test(message: str, given: Any, unhooked: None) -> None:
        with pytest.raises(ValueError, match=message):
            of(given)

    return test
