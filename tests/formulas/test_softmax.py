import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import transformer_lib as tl

numbers = st.floats(-1e300, 1e300) | st.just(-math.inf)
scores = arrays(np.float64, array_shapes(max_dims=3, max_side=5), elements=numbers)


@given(scores)
def test_rows_sum_to_1_unless_all_is_masked(x: Any) -> None:
    weights = tl.softmax(x)
    alive = (x > -math.inf).any(-1)
    np.testing.assert_allclose(weights.sum(-1), alive.astype(float), rtol=0, atol=1e-12)
    assert (weights >= 0).all()
    assert (weights[x == -math.inf] == 0).all()


@pytest.mark.parametrize("axis", [0, 1, -1, -3])
def test_equals_torch_along_any_axis(axis: int) -> None:
    x = torch.randn(2, 3, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    expected = torch.softmax(x, dim=axis)
    torch.testing.assert_close(tl.softmax(x, axis=axis), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tl.softmax(x.numpy(), axis=axis), expected, rtol=1e-12)


def test_does_not_overflow(backend: Any) -> None:
    np.testing.assert_allclose(tl.softmax(backend([1e308, 1e308])), [0.5, 0.5])
    np.testing.assert_allclose(tl.softmax(backend([-1e307, 1e307])), [0.0, 1.0])


def test_a_row_of_minus_infinity_has_weights_and_gradients_of_0() -> None:
    x = torch.tensor([[-math.inf, -math.inf], [0.0, 1.0]], requires_grad=True)
    weights = tl.softmax(x)
    (weights * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert weights[0].tolist() == [0.0, 0.0]
    assert x.grad is not None and x.grad[0].tolist() == [0.0, 0.0]
    assert x.grad[1].abs().min() > 0.1


def test_the_gradient_is_right_where_two_entries_tie() -> None:
    x = torch.tensor([[1.0, 1.0, 1.0]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(tl.softmax, [x])


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_nothing_in_nothing_out(shape: tuple[int, ...], backend: Any) -> None:
    assert tuple(tl.softmax(backend(np.zeros(shape))).shape) == shape


def test_bad_input(unhooked: None, backend: Any) -> None:
    with pytest.raises(ValueError, match="x must have at least 1 axes"):
        tl.softmax(backend(1.0))
    with pytest.raises(ValueError, match=r"axis must be from -2 to 1, got 2"):
        tl.softmax(backend([[1.0]]), axis=2)
