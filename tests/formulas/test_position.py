import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

import transformer_lib as tl

LIKE = np.empty(0)


@pytest.mark.parametrize("d_model", [1, 2, 5, 8])
def test_equals_the_definition_in_plain_python(d_model: int, backend: Any) -> None:
    encoded = tl.sinusoidal(7, d_model, like=backend([0.0]), offset=3)
    assert tuple(encoded.shape) == (7, d_model)
    for row in range(7):
        for column in range(d_model):
            angle = (row + 3) / 10000 ** (2 * (column // 2) / d_model)
            expected = math.cos(angle) if column % 2 else math.sin(angle)
            assert float(encoded[row, column]) == pytest.approx(expected, abs=1e-12)


def test_both_libraries_agree() -> None:
    tensor = torch.empty(0, dtype=torch.float64)
    for make in (
        lambda like: tl.sinusoidal(6, 5, like=like, offset=2),
        lambda like: tl.sinusoidal_rotation(-3, 6, like=like),
        lambda like: tl.frequencies(7, like=like),
    ):
        np.testing.assert_allclose(make(LIKE), make(tensor), rtol=1e-12, atol=1e-12)


@given(st.integers(0, 50), st.integers(-20, 50), st.sampled_from([2, 4, 6, 10]))
def test_a_rotation_moves_any_position_by_k(pos: int, k: int, d_model: int) -> None:
    k = max(k, -pos)
    here = tl.sinusoidal(1, d_model, like=LIKE, offset=pos)[0]
    there = tl.sinusoidal(1, d_model, like=LIKE, offset=pos + k)[0]
    rotation = tl.sinusoidal_rotation(k, d_model, like=LIKE)
    np.testing.assert_allclose(rotation @ here, there, atol=1e-12)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(d_model), atol=1e-12)


def test_learned_positions_are_rows(backend: Any) -> None:
    P = np.arange(12.0).reshape(6, 2)
    np.testing.assert_array_equal(tl.learned_positions(backend(P), 2, offset=4), P[4:])
    assert tuple(tl.learned_positions(backend(P), 0).shape) == (0, 2)


BAD: list[tuple[str, Any]] = [
    ("n must be an integer of 0 or more, got 2.0", lambda: tl.sinusoidal(2.0, 4, like=LIKE)),  # type: ignore[arg-type]
    ("base must be positive and finite", lambda: tl.frequencies(4, like=LIKE, base=math.inf)),
    ("offset must be an integer", lambda: tl.sinusoidal(2, 4, like=LIKE, offset=-2)),
    ("d_model must be even.* got 5", lambda: tl.sinusoidal_rotation(1, 5, like=LIKE)),
    ("k must be an integer, got 1.5", lambda: tl.sinusoidal_rotation(1.5, 4, like=LIKE)),  # type: ignore[arg-type]
    (
        r"P must have a row for each position up to 6, got shape \(5, 2\)",
        lambda: tl.learned_positions(np.ones((5, 2)), 4, offset=3),
    ),
    ("P must have 2 axes", lambda: tl.learned_positions(np.ones(5), 1)),
    ("n must be an integer", lambda: tl.learned_positions(np.ones((5, 2)), -1)),
]


@pytest.mark.parametrize("message,act", BAD)
def test_bad_input(message: str, act: Any, unhooked: None) -> None:
    with pytest.raises(ValueError, match=message):
        act()
