"""The optimizer compared with torch's and with AdamW written out, and clipping."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.training.small import draw, model_of, settings
from transformer_lib.training import clip_gradients, decay_groups, train
from transformer_lib.training.loss import batch_loss


def written_out(model: Any, steps: int, decay: float, rate: float) -> None:
    """Train as Loshchilov and Hutter (2019) write it, algorithm 2."""
    rng, moments = np.random.default_rng(0), {}
    for step in range(1, steps + 1):
        model.zero_grad()
        batch_loss(model, draw(rng)).backward()
        for name, p in model.named_parameters():
            m, v = moments.get(name, (torch.zeros_like(p), torch.zeros_like(p)))
            m, v = 0.9 * m + 0.1 * p.grad, 0.95 * v + 0.05 * p.grad**2
            moments[name] = m, v
            with torch.no_grad():
                if p.ndim > 1:
                    p -= rate * decay * p
                p -= rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.95**step)).sqrt() + 1e-9)


def test_adamw_is_what_its_paper_writes() -> None:
    # No biases: the gradient of the keys' is 0 but for rounding, which Adam makes large.
    ours, expected = (model_of(dropout=0.0, bias=False).double() for _ in range(2))
    asked = settings(steps=20, rate=0.01, weight_decay=0.3, beta_2=0.95, clip=None)
    train(ours, draw, asked, progress=False)
    written_out(expected, 20, decay=0.3, rate=0.01)
    for p, q in zip(ours.parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=1e-9, atol=1e-12)


def test_only_matrices_decay() -> None:
    model = model_of()
    decayed, others = decay_groups(model, 0.1)
    assert {p.ndim for p in decayed["params"]} == {2}
    assert {p.ndim for p in others["params"]} == {1}
    assert len(decayed["params"]) + len(others["params"]) == len(list(model.parameters()))


def test_clipping_measures_and_shortens_as_torch_does() -> None:
    gradients = [torch.randn(3, 4), torch.randn(5), None]
    ours, theirs = ([torch.zeros(2).requires_grad_() for _ in gradients] for _ in range(2))
    for parameters in (ours, theirs):
        for i, gradient in enumerate(gradients):
            if gradient is not None:
                parameters[i] = torch.zeros_like(gradient).requires_grad_()
                parameters[i].grad = gradient.clone()
    whole = torch.cat([g.flatten() for g in gradients if g is not None]).norm()
    assert clip_gradients(ours, None) == pytest.approx(float(whole), rel=1e-6)
    assert clip_gradients(ours, 0.5) == pytest.approx(float(whole), rel=1e-6)
    torch.nn.utils.clip_grad_norm_(theirs, 0.5)
    for p, q in zip(ours[:2], theirs[:2], strict=True):
        assert torch.equal(p.grad, q.grad)
    with pytest.raises(ValueError, match="limit must be positive, got 0"):
        clip_gradients(ours, 0)
