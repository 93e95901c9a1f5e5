from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import transformer_lib as tl
from tests.refusals import refusals

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


@activations
def test_every_step_has_its_value(name: str, backend: Any) -> None:
    function, theirs = PAIRS[name]
    arrays = map(backend, (X, W_1, W_2, B_1, B_2))
    hidden, activated, output = tl.feed_forward_steps(*arrays, activation=function)
    expected = np.asarray(theirs(torch.from_numpy(X @ W_1 + B_1)))
    np.testing.assert_allclose(hidden, X @ W_1 + B_1, atol=1e-12)
    np.testing.assert_allclose(activated, expected, atol=1e-12)
    np.testing.assert_allclose(output, expected @ W_2 + B_2, atol=1e-12)


def test_the_activation_is_relu_unless_another_is_asked_for() -> None:
    np.testing.assert_array_equal(
        tl.feed_forward(X, W_1, W_2), tl.feed_forward(X, W_1, W_2, activation=tl.relu)
    )


def test_swiglu_gates_with_silu(backend: Any) -> None:
    gate, hidden, activated, output = tl.swiglu_steps(*map(backend, (X, W_GATE, W_1, W_2)))
    np.testing.assert_allclose(gate, X @ W_GATE, atol=1e-12)
    np.testing.assert_allclose(hidden, X @ W_1, atol=1e-12)
    expected = np.asarray(F.silu(torch.from_numpy(X @ W_GATE))) * (X @ W_1)
    np.testing.assert_allclose(activated, expected, atol=1e-12)
    np.testing.assert_allclose(output, expected @ W_2, atol=1e-12)


test_bad_input = refusals(
    ("W_2 must have as many rows as W_gate", lambda: tl.swiglu(X, W_GATE, W_1, W_1)),
    ("X must have at least 1 axes", lambda: tl.feed_forward(np.array(1.0), W_1, W_2)),
    (r"W_1 must have shape \(4, 7\), got", lambda: tl.swiglu(X, W_GATE, W_1[:, :6], W_2)),
    (
        r"W must have as many rows as X has columns: X is shape \(2, 3, 4\)",
        lambda: tl.linear(X, W_2),
    ),
)
