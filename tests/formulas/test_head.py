import math

import numpy as np
import pytest
import torch

import transformer_lib as tl

RNG = np.random.default_rng(20)
HIDDEN, W, B = RNG.normal(size=(2, 3, 8)), RNG.normal(size=(8, 7)), RNG.normal(size=7)


def test_logits_are_sums_of_products(backend):
    expected = np.einsum("ijd,dv->ijv", HIDDEN, W)
    got = tl.logits(backend(HIDDEN), backend(W), backend(B))
    np.testing.assert_allclose(np.asarray(got), expected + B, atol=1e-12)
    np.testing.assert_allclose(tl.logits(backend(HIDDEN), backend(W)), expected, atol=1e-12)


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
