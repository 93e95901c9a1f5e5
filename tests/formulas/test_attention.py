import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, strategies as st

import transformer_lib as tl

RNG = np.random.default_rng(1)
Q, K, V = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 4)), RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)
BIAS = RNG.normal(size=(3, 5))


def torch_inputs(dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    return [torch.from_numpy(x).to(dtype).requires_grad_() for x in (Q, K, V)]


def test_equals_loops_in_plain_python(backend: Any) -> None:
    result = tl.attention(backend(Q), backend(K), backend(V), backend(MASK), bias=backend(BIAS))
    for b, i in np.ndindex(2, 3):
        strengths = []
        for j in range(5):
            score = sum(Q[b, i, c] * K[b, j, c] for c in range(4)) / math.sqrt(4) + BIAS[i, j]
            strengths.append(math.exp(score) if MASK[i, j] else 0.0)
        for c in range(6):
            expected = sum(s * V[b, j, c] for j, s in enumerate(strengths)) / sum(strengths)
            assert float(result[b, i, c]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mask", [None, torch.from_numpy(MASK)])
@pytest.mark.parametrize("divisor", [None, 3.0])
def test_equals_torch_forward_and_gradient(mask: Any, divisor: float | None) -> None:
    ours, theirs = torch_inputs(), torch_inputs()
    expected = F.scaled_dot_product_attention(
        *theirs, attn_mask=mask, scale=None if divisor is None else 1 / divisor
    )
    result = tl.attention(*ours, mask, divisor=divisor)
    torch.testing.assert_close(result, expected, rtol=1e-10, atol=1e-10)
    result.square().sum().backward()
    expected.square().sum().backward()
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-10, atol=1e-10)


def test_every_step_has_its_shape_and_follows_from_the_one_before(backend: Any) -> None:
    steps = tl.attention_steps(
        backend(Q), backend(K), backend(V), backend(MASK), bias=backend(BIAS)
    )
    scores, scaled, masked, weights, output = map(np.asarray, steps)
    np.testing.assert_allclose(scores, np.einsum("bic,bjc->bij", Q, K), atol=1e-12)
    np.testing.assert_allclose(scaled, scores / 2.0, atol=1e-12)
    np.testing.assert_allclose(masked, np.where(MASK, scaled + BIAS, -np.inf), atol=1e-12)
    np.testing.assert_allclose(weights.sum(-1), np.ones((2, 3)), atol=1e-12)
    np.testing.assert_allclose(output, weights @ V, atol=1e-12)
    assert (weights[:, ~MASK] == 0).all()
    assert output.shape == (2, 3, 6)


def test_batch_axes_broadcast(backend: Any) -> None:
    shared = tl.attention(backend(Q), backend(K[0]), backend(V[0]))
    for b in range(2):
        np.testing.assert_allclose(shared[b], tl.attention(Q[b], K[0], V[0]), atol=1e-12)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_rows_sum_to_1_and_masked_weights_are_0(n_q: int, n_k: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(n_q, d)), rng.normal(size=(n_k, d))
    mask = rng.random((n_q, n_k)) < 0.5
    weights = tl.attention_steps(q, k, k, mask).weights
    np.testing.assert_allclose(weights.sum(-1), mask.any(-1).astype(float), atol=1e-12)
    assert (weights[~mask] == 0).all()
    assert (weights[mask] > 0).all()


@given(st.permutations(range(5)))
def test_without_positions_the_order_of_the_keys_does_not_matter(order: list[int]) -> None:
    shuffled = tl.attention(Q, K[:, order], V[:, order])
    np.testing.assert_allclose(shuffled, tl.attention(Q, K, V), atol=1e-12)


def test_a_query_with_nothing_to_attend_to_gets_0_and_no_gradient() -> None:
    ours = torch_inputs()
    mask = torch.from_numpy(MASK & np.array([[True], [False], [True]]))
    steps = tl.attention_steps(*ours, mask)
    steps.output.sum().backward()
    assert (steps.weights[:, 1] == 0).all() and (steps.output[:, 1] == 0).all()
    assert ours[0].grad is not None and (ours[0].grad[:, 1] == 0).all()
    assert all(x.grad is not None and x.grad.isfinite().all() for x in ours)
    assert (tl.attention(Q, K, V, mask.numpy())[:, 1] == 0).all()


@pytest.mark.parametrize("n_q,n_k", [(0, 5), (3, 0), (0, 0)])
def test_empty_sequences(n_q: int, n_k: int, backend: Any) -> None:
    q, k, v = backend(np.ones((2, n_q, 4))), backend(np.ones((2, n_k, 4))), backend(V[:, :n_k])
    result = tl.attention(q, k, v)
    assert tuple(result.shape) == (2, n_q, 6)
    assert (np.asarray(result) == 0).all()


BAD: dict[str, dict[str, Any]] = {
    "K must have as many columns": dict(K=K[..., :3]),
    "V must have as many rows": dict(V=V[:, :4]),
    "Q must have at least 2 axes": dict(Q=Q[0, 0]),
    "batch axes must broadcast": dict(Q=np.ones((3, 3, 4))),
    "Q must have a width of at least 1": dict(Q=Q[..., :0], K=K[..., :0]),
    r"mask must be boolean .* float64": dict(mask=MASK.astype(float)),
    r"mask must broadcast to \(2, 3, 5\), got shape \(5, 3\)": dict(mask=MASK.T),
    r"mask must broadcast to \(2, 3, 5\), got shape \(4, 2, 3, 5\)": dict(
        mask=np.ones((4, 2, 3, 5), dtype=bool)
    ),
    r"bias must broadcast to \(2, 3, 5\), got shape \(5, 3\)": dict(bias=BIAS.T),
    "divisor must be positive and finite, got 0": dict(divisor=0.0),
    "divisor must be positive and finite, got nan": dict(divisor=math.nan),
    "divisor must be positive and finite, got inf": dict(divisor=math.inf),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message: str, backend: Any, unhooked: None) -> None:
    arguments: dict[str, Any] = dict(Q=Q, K=K, V=V) | BAD[message]
    if "float64" not in message:
        arguments = {
            n: backend(x) if isinstance(x, np.ndarray) else x for n, x in arguments.items()
        }
    with pytest.raises(ValueError, match=message):
        tl.attention(**arguments)
    with pytest.raises(ValueError, match=message):
        tl.attention_steps(**arguments)
