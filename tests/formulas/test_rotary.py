import cmath
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(2)
X = RNG.normal(size=(2, 3, 8))


def test_equals_a_product_of_complex_numbers(backend: Any) -> None:
    turned = tl.rotary(backend(X), backend([0, 4, 9]), base=50.0)
    for b, n, i in np.ndindex(2, 3, 4):
        pair = complex(X[b, n, 2 * i], X[b, n, 2 * i + 1])
        pair *= cmath.exp(1j * [0, 4, 9][n] * 50.0 ** (-2 * i / 8))
        assert float(turned[b, n, 2 * i]) == pytest.approx(pair.real, abs=1e-12)
        assert float(turned[b, n, 2 * i + 1]) == pytest.approx(pair.imag, abs=1e-12)


def test_positions_may_differ_by_row_of_the_batch(backend: Any) -> None:
    positions = np.array([[0, 1, 2], [5, 6, 7]])
    turned = tl.rotary(backend(X), backend(positions))
    for b in range(2):
        np.testing.assert_allclose(turned[b], tl.rotary(X[b], positions[b]), atol=1e-12)


test_bad_input = refusals(
    (
        "X must have a last axis of even length, at least 2",
        lambda: tl.rotary(X[..., :0], np.arange(3)),
    ),
    ("X must have at least 2 axes", lambda: tl.rotary(X[0, 0], np.arange(8))),
    ("positions must contain integers", lambda: tl.rotary(X, np.arange(3.0))),
    ("base must be positive and finite", lambda: tl.rotary(X, np.arange(3), base=-1.0)),
)
