"""The checks that all formulas share: what they return, and what their messages say."""

import numpy as np
import pytest
import torch

import transformer_lib as tl
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


def test_two_libraries_are_named_with_their_arrays() -> None:
    text = "one library, but x is from numpy, y is from torch$"
    with pytest.raises(ValueError, match=text):
        checks.namespace(x=np.ones(2), y=torch.ones(2))


def test_integers_take_the_dtype_of_the_floats_beside_them() -> None:
    single, promoted = checks.real(np, x=np.ones(2, dtype=np.float32), y=np.arange(3))
    assert single.dtype == promoted.dtype == np.float32
    (alone,) = checks.real(np, x=np.arange(3))
    assert alone.dtype == np.float64


def test_an_empty_array_does_not_hide_the_next() -> None:
    with pytest.raises(ValueError, match="b must be from 0 to 2, got 5 to 5"):
        checks.below(np, 3, a=np.empty(0, dtype=int), b=np.array([5]))


def test_batch_axes_that_do_not_fit_are_listed(unhooked: None) -> None:
    text = r"but Q is shape \(2, 1, 1\), K is shape \(3, 1, 1\), V is shape \(3, 1, 1\)$"
    with pytest.raises(ValueError, match=text):
        tl.attention(np.empty((2, 1, 1)), np.empty((3, 1, 1)), np.empty((3, 1, 1)))


def test_a_number_broadcasts_to_a_number() -> None:
    checks.broadcasts_to((), a=np.array(1.0))


@pytest.mark.parametrize("like", [np.arange(3), np.empty(0, dtype=np.float32)])
def test_the_dtype_of_like_is_taken_if_it_is_a_float(like: np.ndarray) -> None:
    expected = np.float32 if like.dtype == np.float32 else np.float64
    assert tl.sinusoidal(3, 4, like=like).dtype == expected
    assert tl.frequencies(4, like=like).dtype == expected
    assert tl.sinusoidal_rotation(1, 4, like=like).dtype == expected
    assert tl.alibi_slopes(4, like=like).dtype == expected
    assert tl.one_hot(np.array([1]), 3, like=like).dtype == expected


def test_one_hot_wants_ids_and_like_of_one_library(unhooked: None) -> None:
    with pytest.raises(ValueError, match="ids is from numpy, like is from torch"):
        tl.one_hot(np.array([1]), 3, like=torch.ones(1))


def test_the_smallest_widths(unhooked: None) -> None:
    np.testing.assert_array_equal(tl.frequencies(1), [1.0])
    with pytest.raises(ValueError, match="X must have at least 2 axes"):
        tl.split_heads(np.ones(4), 2)
    with pytest.raises(ValueError, match="h must be an integer of 1 or more, got 0"):
        tl.split_heads(np.ones((3, 4)), 0)
    assert tl.split_heads(np.ones((3, 4)), 1).shape == (1, 3, 4)


def test_what_does_not_fit_is_named_beside_its_partner(unhooked: None) -> None:
    one, four = np.ones((1, 1)), np.ones((1, 4))
    with pytest.raises(ValueError, match=r"^E must have as many .* as hidden: hidden is"):
        tl.tied_logits(np.ones(2), np.ones((5, 3)))
    with pytest.raises(ValueError, match="b is from torch"):
        tl.rnn_step(np.ones(1), np.ones(1), one, one, torch.ones(1))
    with pytest.raises(ValueError, match="b is from torch"):
        tl.lstm_step(np.ones(1), np.ones(1), np.ones(1), four, four, torch.ones(4))


def test_relu_of_negative_zero_is_zero() -> None:
    assert not np.signbit(tl.relu(np.array([-0.0]))).any()
