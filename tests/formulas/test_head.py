import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

import transformer_lib as tl

RNG = np.random.default_rng(20)
HIDDEN, W, B = RNG.normal(size=(2, 3, 8)), RNG.normal(size=(8, 7)), RNG.normal(size=7)


def test_logits_equal_plain_loops(backend):
    expected = np.zeros((2, 3, 7))
    for i in range(2):
        for j in range(3):
            for v in range(7):
                expected[i, j, v] = sum(HIDDEN[i, j, d] * W[d, v] for d in range(8)) + B[v]
    got = tl.logits(backend(HIDDEN), backend(W), backend(B))
    np.testing.assert_allclose(np.asarray(got), expected, atol=1e-12)
    without = tl.logits(backend(HIDDEN), backend(W))
    np.testing.assert_allclose(np.asarray(without), expected - B, atol=1e-12)


def test_tied_logits_are_dot_products_with_the_embeddings(backend):
    E = W.T.copy()
    got = np.asarray(tl.tied_logits(backend(HIDDEN), backend(E)))
    for v in range(7):
        np.testing.assert_allclose(got[..., v], HIDDEN @ E[v], atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_log_softmax_equals_torch(backend, axis):
    got = tl.log_softmax(backend(HIDDEN), axis=axis)
    expected = torch.log_softmax(torch.from_numpy(HIDDEN), dim=axis)
    np.testing.assert_allclose(np.asarray(got), expected.numpy(), atol=1e-12)


def test_log_softmax_is_stable_far_from_zero(backend):
    got = np.asarray(tl.log_softmax(backend(np.array([[1e4, -1e4, 1e4], [-1e4, -1e4, -1e4]]))))
    expected = [[-math.log(2), -2e4 - math.log(2), -math.log(2)], [-math.log(3)] * 3]
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_log_softmax_of_minus_infinity(backend):
    x = np.array([[-np.inf, 0.0, 0.0], [-np.inf, -np.inf, -np.inf]])
    got = np.asarray(tl.log_softmax(backend(x)))
    expected = [[-np.inf, -math.log(2), -math.log(2)], [-np.inf] * 3]
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_log_softmax_of_rows_without_entries():
    assert tl.log_softmax(np.zeros((2, 0))).shape == (2, 0)


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=9), st.floats(-1e4, 1e4))
def test_log_softmax_sums_to_one_and_ignores_a_shift(xs, shift):
    x = np.array(xs)
    log_p = tl.log_softmax(x)
    assert np.exp(log_p).sum() == pytest.approx(1, abs=1e-12)
    assert (log_p <= 0).all()
    np.testing.assert_allclose(tl.log_softmax(x + shift), log_p, rtol=1e-9, atol=1e-9)


BAD = {
    "W vector": (lambda: tl.logits(HIDDEN, B), "W must have 2 axes"),
    "W rows": (lambda: tl.logits(HIDDEN, W[:5]), "W must have as many rows"),
    "b rank": (lambda: tl.logits(HIDDEN, W, W), r"b must have shape \(7,\)"),
    "b length": (lambda: tl.logits(HIDDEN, W, B[:3]), r"b must have shape \(7,\)"),
    "E vector": (lambda: tl.tied_logits(HIDDEN, B), "E must have 2 axes"),
    "E columns": (lambda: tl.tied_logits(HIDDEN, W), "E must have as many columns"),
    "x scalar": (lambda: tl.log_softmax(np.array(1.0)), "x must have at least 1"),
    "axis": (lambda: tl.log_softmax(HIDDEN, axis=3), "axis must be from -3 to 2, got 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case, unhooked):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()
