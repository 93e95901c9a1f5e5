"""The checks that all formulas share: what they return, and what their messages say."""

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals
from transformer_lib.formulas import checks


def test_torch_is_recognized_when_its_first_tensor_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_KNOWN", [(np.ndarray, np)])
    monkeypatch.setattr(checks, "_FLOATS", set())
    monkeypatch.setattr(checks, "_INTEGERS", set())
    found = checks.namespace(x=torch.ones(2))
    assert found.__name__ == "array_api_compat.torch"
    assert checks._KNOWN == [(np.ndarray, np), (torch.Tensor, found)]
    assert torch.bfloat16 in checks._FLOATS
    assert {torch.int64} == checks._INTEGERS
    checks.know_torch()
    assert len(checks._KNOWN) == 2


def test_integers_take_the_dtype_of_the_floats_beside_them() -> None:
    single, promoted = checks.real(np, x=np.ones(2, dtype=np.float32), y=np.arange(3))
    assert single.dtype == promoted.dtype == np.float32
    (alone,) = checks.real(np, x=np.arange(3))
    assert alone.dtype == np.float64


def test_a_number_broadcasts_to_a_number() -> None:
    checks.broadcasts_to((), a=np.array(1.0))


def test_the_smallest_widths() -> None:
    np.testing.assert_array_equal(tl.frequencies(1), [1.0])
    assert tl.split_heads(np.ones((3, 4)), 1).shape == (1, 3, 4)


ONE, FOUR = np.ones((1, 1)), np.ones((1, 4))
V_1 = np.ones(1)
test_what_does_not_fit_is_named_beside_its_partner = refusals(
    (
        r"batch axes .*but Q is shape \(2, 1, 1\), K is shape \(3, 1, 1\), V is shape \(3, 1, 1\)$",
        lambda: tl.attention(np.empty((2, 1, 1)), np.empty((3, 1, 1)), np.empty((3, 1, 1))),
    ),
    (
        "ids is from numpy, like is from torch",
        lambda: tl.one_hot(np.array([1]), 3, like=torch.ones(1)),
    ),
    (
        r"^E must have as many columns \(d_model\) as hidden: hidden is",
        lambda: tl.tied_logits(np.ones(2), np.ones((5, 3))),
    ),
    (
        r"^W must have as many rows as X has columns: X is shape \(2, 4\)",
        lambda: tl.linear(np.ones((2, 4)), np.ones((3, 5))),
    ),
    ("b is from torch", lambda: tl.rnn_step(V_1, V_1, ONE, ONE, torch.ones(1))),
    ("b is from torch", lambda: tl.lstm_step(V_1, V_1, V_1, FOUR, FOUR, torch.ones(4))),
    ("W must have 2 axes", lambda: tl.logits(V_1, V_1)),
    (r"change must have shape \(1, 4\), got", lambda: tl.residual(FOUR, ONE)),
    ("X must have at least 3 axes", lambda: tl.merge_heads(ONE)),
    ("X must have at least 2 axes", lambda: tl.split_heads(np.ones(4), 2)),
    ("h must be an integer of 1 or more, got 0", lambda: tl.split_heads(np.ones((3, 4)), 0)),
    ("x is from numpy, y is from torch$", lambda: checks.namespace(x=V_1, y=torch.ones(2))),
    (
        "b must be from 0 to 2, got 5 to 5",  # an empty array does not hide the next
        lambda: checks.below(np, 3, a=np.empty(0, dtype=int), b=np.array([5])),
    ),
)


def test_relu_of_negative_zero_is_zero() -> None:
    assert not np.signbit(tl.relu(np.array([-0.0]))).any()
