"""What a formula makes, it makes on the device and in the dtype of what it is given.

Tensors on the device "meta" have a shape and no numbers, so that no second device is needed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl

META = torch.empty(0, device="meta")
ROWS = torch.empty((2, 3, 4), device="meta")
SEEN = torch.empty((3, 3), dtype=torch.bool, device="meta")
WEIGHTS = dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), torch.empty((4, 4), device="meta"))

MADE: dict[str, Callable[[], Any]] = {
    "causal_mask": lambda: tl.causal_mask(3, like=META, offset=2),
    "additive_mask": lambda: tl.additive_mask(SEEN),
    "attention": lambda: tl.attention(ROWS, ROWS, ROWS, SEEN),
    "sinusoidal": lambda: tl.sinusoidal(3, 4, like=META),
    "frequencies": lambda: tl.frequencies(4, like=META),
    "sinusoidal_rotation": lambda: tl.sinusoidal_rotation(2, 4, like=META),
    "alibi_slopes": lambda: tl.alibi_slopes(3, like=META),
    "alibi_bias": lambda: tl.alibi_bias(3, 5, 2, like=META),
    "relative_buckets": lambda: tl.relative_buckets(3, 5, like=META),
    "multi_head_attention": lambda: tl.multi_head_attention(
        ROWS, ROWS, **WEIGHTS, h=2, rotary_base=100.0
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_the_device_is_that_of_the_input(name: str) -> None:
    assert MADE[name]().device.type == "meta"


OF_LIKE: dict[str, Callable[[Any], Any]] = {
    "sinusoidal": lambda like: tl.sinusoidal(3, 4, like=like),
    "frequencies": lambda like: tl.frequencies(4, like=like),
    "sinusoidal_rotation": lambda like: tl.sinusoidal_rotation(2, 4, like=like),
    "alibi_slopes": lambda like: tl.alibi_slopes(3, like=like),
    "alibi_bias": lambda like: tl.alibi_bias(3, 5, 2, like=like),
    "one_hot": lambda like: tl.one_hot(
        np.array([1, 0]) if isinstance(like, np.ndarray) else torch.tensor([1, 0]), 3, like=like
    ),
}


@pytest.mark.parametrize("name", OF_LIKE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_dtype_is_that_of_the_input(name: str, dtype: str) -> None:
    assert OF_LIKE[name](np.empty(0, dtype)).dtype == np.dtype(dtype)
    assert OF_LIKE[name](torch.empty(0, dtype=getattr(torch, dtype))).dtype == getattr(torch, dtype)


def test_angles_are_computed_in_double_before_they_are_rounded() -> None:
    """At position 10,007 a single-precision angle is off by up to 5e-4."""
    for make in (
        lambda like: tl.sinusoidal(1, 6, like=like, offset=10_007),
        lambda like: tl.sinusoidal_rotation(10_007, 6, like=like),
    ):
        exact = make(np.empty(0))
        np.testing.assert_allclose(make(np.empty(0, np.float32)), exact, atol=1e-6)
        np.testing.assert_allclose(make(torch.empty(0)), exact, atol=1e-6)


def test_one_hot_without_a_model_has_the_default_dtype(backend: Any) -> None:
    rows = tl.one_hot(backend([2, 0]), 3)
    assert rows.dtype == (torch.get_default_dtype() if torch.is_tensor(rows) else np.float64)
