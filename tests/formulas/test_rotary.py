import cmath
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import transformer_lib as tl

RNG = np.random.default_rng(2)
X = RNG.normal(size=(2, 3, 8))


def test_equals_a_product_of_complex_numbers(backend: Any) -> None:
    turned = tl.rotary(backend(X), backend([0, 4, 9]), base=50.0)
    for b, n, i in np.ndindex(2, 3, 4):
        pair = complex(X[b, n, 2 * i], X[b, n, 2 * i + 1])
        pair *= cmath.exp(1j * [0, 4, 9][n] * 50.0 ** (-2 * i / 8))
        assert float(turned[b, n, 2 * i]) == pytest.approx(pair.real, abs=1e-12)
        assert float(turned[b, n, 2 * i + 1]) == pytest.approx(pair.imag, abs=1e-12)


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_score_depends_on_the_distance_alone(m: int, n: int, shift: int) -> None:
    q, k = X[0, :1], X[1, :1]

    def score(at_q: int, at_k: int) -> Any:
        return tl.rotary(q, np.array([at_q])) @ tl.rotary(k, np.array([at_k])).T

    np.testing.assert_allclose(score(m + shift, n + shift), score(m, n), atol=1e-10)


def test_positions_may_differ_by_row_of_the_batch(backend: Any) -> None:
    positions = np.array([[0, 1, 2], [5, 6, 7]])
    turned = tl.rotary(backend(X), backend(positions))
    for b in range(2):
        np.testing.assert_allclose(turned[b], tl.rotary(X[b], positions[b]), atol=1e-12)


def test_lengths_are_kept_and_position_0_changes_nothing() -> None:
    turned = tl.rotary(X, np.array([0, 1, 2]))
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(X, axis=-1))
    np.testing.assert_array_equal(turned[:, 0], X[:, 0])
    assert tl.rotary(X[:, :0], np.arange(0)).shape == (2, 0, 8)


BAD: list[tuple[str, Any]] = [
    ("X must have an even width", lambda: tl.rotary(X[..., :5], np.arange(3))),
    ("X must have an even width of at least 2", lambda: tl.rotary(X[..., :0], np.arange(3))),
    ("X must have at least 2 axes", lambda: tl.rotary(X[0, 0], np.arange(8))),
    ("positions must hold integers", lambda: tl.rotary(X, np.arange(3.0))),
    (r"positions must broadcast to \(2, 3\)", lambda: tl.rotary(X, np.arange(4))),
    ("base must be positive and finite", lambda: tl.rotary(X, np.arange(3), base=-1.0)),
]


@pytest.mark.parametrize("message,act", BAD)
def test_bad_input(message: str, act: Any, unhooked: None) -> None:
    with pytest.raises(ValueError, match=message):
        act()
