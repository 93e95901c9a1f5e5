"""What the assignment on training gives, and what it compares with, is what torch computes."""

import numpy as np
import pytest
import torch

from tests.exercises.assignments import TORCH, TRAINING, check_of, given_by


@pytest.mark.parametrize("seed", range(3))
def test_the_given_gradients_are_those_of_torch(seed):
    ours, theirs = given_by(TRAINING), given_by(TORCH)
    rng = np.random.default_rng(seed)
    P, (ids, targets) = ours["draw_parameters"](rng), ours["draw_batch"](rng)
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in P.items()}
    right = theirs["language_loss"](tensors, torch.tensor(ids), torch.tensor(targets))
    right.backward()
    loss, gradients = ours["language_loss_and_gradients"](P, ids, targets)
    assert set(gradients) == set(P)
    np.testing.assert_allclose(loss, right.item(), rtol=1e-12)
    for name, tensor in tensors.items():
        np.testing.assert_allclose(gradients[name], tensor.grad, rtol=1e-8, atol=1e-12)


def test_the_given_gradients_without_a_mask_are_the_slopes_of_the_loss():
    space, rng = given_by(TRAINING), np.random.default_rng(3)
    P, batch = space["draw_parameters"](rng), space["draw_batch"](rng)
    gradients = space["language_loss_and_gradients"](P, *batch, False)[1]
    for name, array in P.items():
        direction = rng.normal(size=array.shape)
        losses = [
            space["language_loss"](P | {name: array + step * direction}, *batch, False)
            for step in (1e-6, -1e-6)
        ]
        slope = (losses[0] - losses[1]) / 2e-6
        # Half of the digits are lost in a difference of two losses.
        np.testing.assert_allclose(slope, (gradients[name] * direction).sum(), rtol=1e-5)


@pytest.mark.parametrize(("part", "heads"), [("head", 1), ("heads", 3)])
def test_the_expected_block_is_that_of_torch(part, heads):
    space, rng = given_by(TRAINING), np.random.default_rng(4)
    check = check_of(TRAINING, f"encoder_block-check-{part}")
    exec(check[check.index("def expected_block") : check.index("\n\nfor batch, n,")], space)
    X, P = rng.normal(size=(2, 5, 6)), space["random_parameters"](rng, 6, 4)
    found = space["expected_block"](X, P, heads)
    np.testing.assert_allclose(found, by_torch(X, P, heads), rtol=1e-8, atol=1e-10)


def by_torch(X, P, heads):
    layer = torch.nn.TransformerEncoderLayer(
        6, heads, 4, dropout=0.0, batch_first=True, dtype=torch.float64
    )
    P = {name: torch.tensor(array) for name, array in P.items()}
    state = {name: torch.zeros_like(tensor) for name, tensor in layer.state_dict().items()}
    state["self_attn.in_proj_weight"] = torch.cat([P["W_Q"].T, P["W_K"].T, P["W_V"].T])
    state["self_attn.out_proj.weight"] = P["W_O"].T
    for i in "12":
        state[f"linear{i}.weight"], state[f"linear{i}.bias"] = P[f"W_{i}"].T, P[f"b_{i}"]
        state[f"norm{i}.weight"], state[f"norm{i}.bias"] = P[f"gain_{i}"], P[f"bias_{i}"]
    layer.load_state_dict(state)
    return layer.train()(torch.tensor(X)).detach()
