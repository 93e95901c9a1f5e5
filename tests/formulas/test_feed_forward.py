import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, strategies as st

import transformer_lib as tl

RNG = np.random.default_rng(4)
X, W_1, W_2 = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(4, 7)), RNG.normal(size=(7, 5))
W_GATE, B_1, B_2 = RNG.normal(size=(4, 7)), RNG.normal(size=7), RNG.normal(size=5)
PAIRS: dict[str, tuple[Any, Any]] = {
    "relu": (tl.relu, F.relu),
    "gelu": (tl.gelu, F.gelu),
    "gelu_tanh": (tl.gelu_tanh, lambda x: F.gelu(x, approximate="tanh")),
    "silu": (tl.silu, F.silu),
}
activations = pytest.mark.parametrize("name", PAIRS)


@activations
def test_activations_equal_torch_with_gradient(name: str) -> None:
    ours, theirs = PAIRS[name]
    grid = torch.linspace(-40, 40, 801, dtype=torch.float64)
    a, b = grid.clone().requires_grad_(), grid.clone().requires_grad_()
    torch.testing.assert_close(ours(a), theirs(b), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours(grid.numpy()), theirs(grid), rtol=1e-12, atol=1e-12)
    ours(a).sum().backward()
    theirs(b).sum().backward()
    torch.testing.assert_close(a.grad, b.grad, rtol=1e-10, atol=1e-12)


@activations
def test_activations_of_no_and_of_extreme_numbers(name: str, backend: Any) -> None:
    function = PAIRS[name][0]
    assert tuple(function(backend(np.zeros((0, 3)))).shape) == (0, 3)
    assert tuple(function(backend(2.0)).shape) == ()
    np.testing.assert_allclose(function(backend([-1e30, 0.0, 1e30])), [0, 0, 1e30])


@given(st.floats(-30, 30))
def test_gelu_is_x_times_the_normal_probability(x: float) -> None:
    expected = x * 0.5 * (1 + math.erf(x / math.sqrt(2)))
    assert float(tl.gelu(np.array(x))) == pytest.approx(expected, abs=1e-14)
    assert float(tl.gelu_tanh(np.array(x))) == pytest.approx(expected, abs=1e-3)


@activations
def test_feed_forward_equals_loops_in_plain_python(name: str, backend: Any) -> None:
    arrays = map(backend, (X, W_1, W_2, B_1, B_2))
    result = tl.feed_forward(*arrays, activation=PAIRS[name][0])
    scalar = PAIRS[name][1]
    for b, n, column in np.ndindex(2, 3, 5):
        total = B_2[column]
        for unit in range(7):
            z = sum(X[b, n, c] * W_1[c, unit] for c in range(4)) + B_1[unit]
            total += float(scalar(torch.tensor(z))) * W_2[unit, column]
        assert float(result[b, n, column]) == pytest.approx(total, abs=1e-12)


def test_every_step_has_its_shape_and_its_value(backend: Any) -> None:
    hidden, activated, output = tl.feed_forward_steps(*map(backend, (X, W_1, W_2, B_1)))
    np.testing.assert_allclose(hidden, X @ W_1 + B_1, atol=1e-12)
    np.testing.assert_allclose(activated, np.maximum(X @ W_1 + B_1, 0), atol=1e-12)
    assert tuple(output.shape) == (2, 3, 5)


def test_swiglu_gates_with_silu(backend: Any) -> None:
    gate, hidden, activated, output = tl.swiglu_steps(*map(backend, (X, W_GATE, W_1, W_2)))
    np.testing.assert_allclose(gate, X @ W_GATE, atol=1e-12)
    np.testing.assert_allclose(hidden, X @ W_1, atol=1e-12)
    expected = np.asarray(F.silu(torch.from_numpy(X @ W_GATE))) * (X @ W_1)
    np.testing.assert_allclose(activated, expected, atol=1e-12)
    np.testing.assert_allclose(output, expected @ W_2, atol=1e-12)


BAD: dict[str, Any] = {
    "W_1 must have as many rows as X has columns": lambda: tl.feed_forward(X, W_2, W_1),
    "W_2 must have as many rows as W_1 has columns": lambda: tl.feed_forward(X, W_1, W_1),
    r"b_1 must have shape \(7,\)": lambda: tl.feed_forward(X, W_1, W_2, B_2),
    r"b_2 must have shape \(5,\)": lambda: tl.feed_forward(X, W_1, W_2, B_1, B_1),
    "W_2 must have as many rows as W_gate": lambda: tl.swiglu(X, W_GATE, W_1, W_1),
    "W_1 must have 2 axes": lambda: tl.feed_forward(X, B_1, W_2),
    "X must have at least 1 axes": lambda: tl.feed_forward(np.array(1.0), W_1, W_2),
    r"W_1 must have shape \(4, 7\), got": lambda: tl.swiglu(X, W_GATE, W_1[:, :6], W_2),
    "W_gate must have as many rows": lambda: tl.swiglu(X, W_GATE[:3], W_1[:3], W_2),
    r"W must have as many rows as X has columns: X is shape \(2, 3, 4\)": lambda: tl.linear(X, W_2),
    r"b must have shape \(7,\), got shape \(5,\)": lambda: tl.linear(X, W_1, B_2),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message: str, unhooked: None) -> None:
    with pytest.raises(ValueError, match=message):
        BAD[message]()
