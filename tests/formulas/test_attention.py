import math
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(1)
Q, K, V = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 4)), RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)
BIAS = RNG.normal(size=(3, 5))


def test_equals_loops_in_plain_python(backend: Any) -> None:
    Q_, K_, V_, mask, bias = map(backend, (Q, K, V, MASK, BIAS))
    result = tl.attention(Q_, K_, V_, mask, bias=bias, divisor=3.0)
    for b, i in np.ndindex(2, 3):
        strengths = []
        for j in range(5):
            score = sum(Q[b, i, c] * K[b, j, c] for c in range(4)) / 3.0 + BIAS[i, j]
            strengths.append(math.exp(score) if MASK[i, j] else 0.0)
        for c in range(6):
            expected = sum(s * V[b, j, c] for j, s in enumerate(strengths)) / sum(strengths)
            assert float(result[b, i, c]) == pytest.approx(expected, abs=1e-12)


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


def test_a_query_with_nothing_to_attend_to_gets_0_and_no_gradient() -> None:
    ours = [torch.from_numpy(x).requires_grad_() for x in (Q, K, V)]
    mask = torch.from_numpy(MASK & np.array([[True], [False], [True]]))
    steps = tl.attention_steps(*ours, mask)
    steps.output.sum().backward()
    assert (steps.weights[:, 1] == 0).all() and (steps.output[:, 1] == 0).all()
    assert ours[0].grad is not None and (ours[0].grad[:, 1] == 0).all()
    assert all(x.grad is not None and x.grad.isfinite().all() for x in ours)
    assert (tl.attention(Q, K, V, mask.numpy())[:, 1] == 0).all()


BAD = [
    ("batch axes must broadcast", dict(Q=np.ones((3, 3, 4)))),
    ("Q must have a last axis of length 1 or more", dict(Q=Q[..., :0], K=K[..., :0])),
    (r"mask must be boolean .* float64", dict(mask=MASK.astype(float))),
    (r"mask must broadcast to \(2, 3, 5\), got shape \(4, 2", dict(mask=np.ones((4, 2, 3, 5)) > 0)),
    ("divisor must be positive and finite, got 0", dict(divisor=0.0)),
    ("divisor must be positive and finite, got nan", dict(divisor=math.nan)),
    ("divisor must be positive and finite, got inf", dict(divisor=math.inf)),
]
GOOD = dict(Q=Q, K=K, V=V)
test_bad_input = refusals(*BAD, of=lambda changes: tl.attention(**(GOOD | changes)))
test_bad_input_of_steps = refusals(*BAD, of=lambda bad: tl.attention_steps(**(GOOD | bad)))
