from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

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
def test_activations_of_one_and_of_extreme_numbers(name: str, backend: Any) -> None:
    function = PAIRS[name][0]
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


def test_swiglu_gates_with_silu(backend: Any) -> None:
    gate, hidden, activated, output = tl.swiglu_steps(*map(backend, (X, W_GATE, W_1, W_2)))
    np.testing.assert_allclose(gate, X @ W_GATE, atol=1e-12)
    np.testing.assert_allclose(hidden, X @ W_1, atol=1e-12)
    expected = np.asarray(F.silu(torch.from_numpy(X @ W_GATE))) * (X @ W_1)
    np.testing.assert_allclose(activated, expected, atol=1e-12)
    np.testing.assert_allclose(output, expected @ W_2, atol=1e-12)
