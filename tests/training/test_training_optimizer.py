"""The optimizer compared with torch's and with AdamW written out, and clipping."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.training.small import draw, model_of, settings
from transformer_lib.training import clip_gradients, decay_groups, train
from transformer_lib.training.loss import batch_loss


def written_out(
    model: Any, asked: Any, *, beta_2: float, decay: float = 0, clip: float = np.inf
) -> list[float]:
    """Train as Loshchilov and Hutter (2019) write it, algorithm 2, and return the losses."""
    rng, moments, losses = np.random.default_rng(asked.seed), {}, []
    for t in range(1, asked.steps + 1):
        model.zero_grad()
        loss = batch_loss(model, draw(rng), smoothing=asked.smoothing)
        loss.backward()
        losses.append(float(loss.detach()))
        rate = asked.rate or 8**-0.5 * min(t**-0.5, t * asked.warm_up**-1.5)
        norm = float(torch.cat([p.grad.flatten() for p in model.parameters()]).norm())
        for name, p in model.named_parameters():
            g = p.grad * min(1.0, clip / norm)
            m, v = moments.get(name, (torch.zeros_like(p), torch.zeros_like(p)))
            m, v = 0.9 * m + 0.1 * g, beta_2 * v + (1 - beta_2) * g**2
            moments[name] = m, v
            with torch.no_grad():
                if p.ndim > 1:
                    p -= rate * decay * p
                p -= rate * (m / (1 - 0.9**t)) / ((v / (1 - beta_2**t)).sqrt() + 1e-9)
    return losses


def test_adamw_is_what_its_paper_writes() -> None:
    # No biases: the gradient of the keys' is 0 but for rounding, which Adam makes large.
    ours, expected = (model_of(dropout=0.0, bias=False).double() for _ in range(2))
    asked = settings(steps=20, rate=0.01, weight_decay=0.3, beta_2=0.95, clip=None)
    train(ours, draw, asked, progress=False)
    written_out(expected, asked, beta_2=0.95, decay=0.3)
    for p, q in zip(ours.parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=1e-9, atol=1e-12)


def test_a_step_is_adam_on_the_clipped_gradient_of_the_smoothed_loss() -> None:
    ours, theirs = (model_of("lstm").double() for _ in range(2))
    asked = settings(steps=5, warm_up=5, seed=4, clip=0.3, smoothing=0.1)
    history = train(ours, draw, asked, progress=False)
    assert max(history.norms) > 0.3, "the clip must matter here"
    expected = written_out(theirs, asked, beta_2=0.98, clip=0.3)
    np.testing.assert_allclose(history.losses, expected, rtol=1e-5)
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=1e-4, atol=1e-5)


def test_only_matrices_decay() -> None:
    model = model_of()
    decayed, others = decay_groups(model, 0.1)
    assert {p.ndim for p in decayed["params"]} == {2}
    assert {p.ndim for p in others["params"]} == {1}
    assert len(decayed["params"]) + len(others["params"]) == len(list(model.parameters()))


def test_clipping_measures_and_shortens_as_torch_does() -> None:
    gradients = [torch.randn(3, 4), torch.randn(5)]
    ours, theirs = ([torch.zeros_like(g).requires_grad_() for g in gradients] for _ in range(2))
    for p, q, gradient in zip(ours, theirs, gradients, strict=True):
        p.grad, q.grad = gradient.clone(), gradient.clone()
    without = torch.zeros(2).requires_grad_()
    whole = float(torch.cat([g.flatten() for g in gradients]).norm())
    assert clip_gradients([*ours, without], None) == pytest.approx(whole, rel=1e-6)
    assert clip_gradients([*ours, without], 0.5) == pytest.approx(whole, rel=1e-6)
    torch.nn.utils.clip_grad_norm_(theirs, 0.5)
    for p, q in zip(ours, theirs, strict=True):
        assert torch.equal(p.grad, q.grad)
    with pytest.raises(ValueError, match="limit must be positive, got 0"):
        clip_gradients(ours, 0)
