import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import transformer_lib as tl
from tests.refusals import refusals


@pytest.mark.parametrize("base", [10000.0, 100.0])
@pytest.mark.parametrize("d_model", [1, 2, 5, 8])
def test_equals_the_definition_in_plain_python(d_model: int, base: float, backend: Any) -> None:
    encoded = tl.sinusoidal(7, d_model, like=backend([0.0]), base=base, offset=3)
    assert tuple(encoded.shape) == (7, d_model)
    for row in range(7):
        for column in range(d_model):
            angle = (row + 3) / base ** (2 * (column // 2) / d_model)
            expected = math.cos(angle) if column % 2 else math.sin(angle)
            assert float(encoded[row, column]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("base", [10000.0, 7.0])
@given(st.integers(0, 50), st.integers(-20, 50), st.sampled_from([2, 4, 6, 10]))
def test_a_rotation_moves_any_position_by_k(base: float, pos: int, k: int, d_model: int) -> None:
    k = max(k, -pos)
    here = tl.sinusoidal(1, d_model, base=base, offset=pos)[0]
    there = tl.sinusoidal(1, d_model, base=base, offset=pos + k)[0]
    rotation = tl.sinusoidal_rotation(k, d_model, base=base)
    np.testing.assert_allclose(rotation @ here, there, atol=1e-12)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(d_model), atol=1e-12)


def test_learned_positions_are_rows(backend: Any) -> None:
    P = np.arange(12.0).reshape(6, 2)
    np.testing.assert_array_equal(tl.learned_positions(backend(P), 2, offset=4), P[4:])
    assert tuple(tl.learned_positions(backend(P), 0).shape) == (0, 2)


ROWS = np.ones((5, 2))


test_bad_input = refusals(
    ("n must be an integer of 0 or more, got 2.0", lambda: tl.sinusoidal(2.0, 4)),
    ("base must be positive and finite", lambda: tl.frequencies(4, base=math.inf)),
    ("offset must be an integer", lambda: tl.sinusoidal(2, 4, offset=-2)),
    ("k must be an integer, got 1.5", lambda: tl.sinusoidal_rotation(1.5, 4)),
    (
        r"P must have a row for each position up to 6, got shape \(5, 2\)",
        lambda: tl.learned_positions(ROWS, 4, offset=3),
    ),
    ("n must be an integer", lambda: tl.learned_positions(ROWS, -1)),
    (
        "offset must be an integer of 0 or more, got -3",
        lambda: tl.learned_positions(ROWS, 2, offset=-3),
    ),
)
