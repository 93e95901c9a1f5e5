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

OF_LIKE: dict[str, Callable[[Any], Any]] = {
    "sinusoidal": lambda like: tl.sinusoidal(3, 5, like=like, offset=2),
    "frequencies": lambda like: tl.frequencies(7, like=like),
    "sinusoidal_rotation": lambda like: tl.sinusoidal_rotation(-3, 6, like=like),
    "alibi_slopes": lambda like: tl.alibi_slopes(6, like=like),
    "alibi_bias": lambda like: tl.alibi_bias(3, 4, 6, like=like, offset=1),
}
BUCKETS: dict[str, Callable[[Any], Any]] = {
    "relative_buckets": lambda like: tl.relative_buckets(
        3, 40, like=like, bidirectional=False, offset=30
    )
}
MADE: dict[str, Callable[[Any], Any]] = {
    "causal_mask": lambda like: tl.causal_mask(3, like=like, offset=2),
    "additive_mask": lambda _: tl.additive_mask(SEEN),
    "attention": lambda _: tl.attention(ROWS, ROWS, ROWS, SEEN),
    "multi_head_attention": lambda _: tl.multi_head_attention(
        ROWS, ROWS, **WEIGHTS, h=2, rotary_base=100.0
    ),
}


@pytest.mark.parametrize("make", (OF_LIKE | BUCKETS | MADE).values())
def test_the_device_is_that_of_the_input(make: Any) -> None:
    assert make(META).device.type == "meta"


@pytest.mark.parametrize("make", (OF_LIKE | BUCKETS).values())
def test_both_libraries_make_the_same(make: Any) -> None:
    tensor = torch.empty(0, dtype=torch.float64)
    np.testing.assert_allclose(make(np.empty(0)), make(tensor), rtol=1e-12, atol=1e-12)


def one_hot(like: Any) -> Any:
    ids = [1, 0]
    return tl.one_hot(torch.tensor(ids) if torch.is_tensor(like) else np.array(ids), 3, like=like)


@pytest.mark.parametrize("make", [*OF_LIKE.values(), one_hot])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_dtype_is_that_of_the_input_if_it_is_a_float(make: Any, dtype: str) -> None:
    assert make(np.empty(0, dtype)).dtype == np.dtype(dtype)
    assert make(torch.empty(0, dtype=getattr(torch, dtype))).dtype == getattr(torch, dtype)
    assert make(np.arange(3)).dtype == np.float64


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
