import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(21)
LOGITS = RNG.normal(size=(2, 3, 7))
TARGETS = np.array([[6, 0, 2], [2, 5, 0]])


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("ignore", [-100, 0, 2])
def test_equals_torch(backend, smoothing, ignore):
    got = tl.cross_entropy(
        backend(LOGITS), backend(TARGETS), ignore_index=ignore, label_smoothing=smoothing
    )
    expected = F.cross_entropy(
        torch.from_numpy(LOGITS).reshape(-1, 7),
        torch.from_numpy(TARGETS).reshape(-1),
        ignore_index=ignore,
        label_smoothing=smoothing,
    )
    assert float(got) == pytest.approx(float(expected), abs=1e-12)


def test_steps_equal_plain_loops(backend):
    steps = tl.cross_entropy_steps(backend(LOGITS), backend(TARGETS), ignore_index=2)
    losses = np.zeros((2, 3))
    for i in range(2):
        for j in range(3):
            if TARGETS[i, j] != 2:
                row = [math.exp(z) for z in LOGITS[i, j]]
                losses[i, j] = -math.log(row[TARGETS[i, j]] / sum(row))
    assert tuple(steps.log_probabilities.shape) == (2, 3, 7)
    np.testing.assert_array_equal(np.asarray(steps.counted), TARGETS != 2)
    np.testing.assert_allclose(np.asarray(steps.losses), losses, atol=1e-12)
    assert float(steps.loss) == pytest.approx(losses.sum() / 4, abs=1e-12)


def test_ignored_tokens_change_nothing():
    logits = np.concatenate([LOGITS, np.full((2, 2, 7), np.nan)], axis=1)
    targets = np.concatenate([TARGETS, np.full((2, 2), -100)], axis=1)
    assert float(tl.cross_entropy(logits, targets)) == tl.cross_entropy(LOGITS, TARGETS)


def test_gradients_reach_counted_tokens_only():
    logits = torch.from_numpy(LOGITS.copy()).requires_grad_()
    targets = torch.from_numpy(TARGETS)

    def loss(z):
        return tl.cross_entropy(z, targets, ignore_index=2, label_smoothing=0.1)

    assert torch.autograd.gradcheck(loss, [logits])
    loss(logits).backward()
    assert (logits.grad[TARGETS == 2] == 0).all()
    assert (logits.grad[TARGETS != 2] != 0).all()


def test_impossible_tokens_cost_infinity_only_when_right():
    logits = np.array([[0.0, -np.inf, 0.0]])
    assert float(tl.cross_entropy(logits, np.array([0]))) == pytest.approx(math.log(2))
    assert float(tl.cross_entropy(logits, np.array([1]))) == math.inf


def test_perplexity_of_a_uniform_model_is_the_size_of_the_vocabulary(backend):
    assert float(tl.perplexity(backend(np.zeros((2, 3, 7))), backend(TARGETS))) == pytest.approx(7)
    got = tl.perplexity(backend(LOGITS), backend(TARGETS), ignore_index=0)
    loss = tl.cross_entropy(backend(LOGITS), backend(TARGETS), ignore_index=0)
    assert float(got) == pytest.approx(math.exp(float(loss)))


def test_numbers_of_lower_precision():
    low = tl.cross_entropy(LOGITS.astype(np.float32), TARGETS.astype(np.int32))
    assert low.dtype == np.float32
    assert float(low) == pytest.approx(float(tl.cross_entropy(LOGITS, TARGETS)), abs=1e-5)


BAD = [
    ("targets must contain integers", (LOGITS, TARGETS * 1.0)),
    ("targets must be ids from 0 to 6 or -100", (LOGITS, TARGETS + 1)),
    ("targets must be ids from 0 to 6 or -100", (LOGITS, TARGETS - 1)),
    ("all 6 are -100", (LOGITS, TARGETS * 0 - 100)),
    ("all 0 are -100", (LOGITS[:0], TARGETS[:0])),
    ("one library", (LOGITS, torch.from_numpy(TARGETS))),
]
test_bad_input_of_steps = refusals(*BAD, of=lambda given: tl.cross_entropy_steps(*given))
test_bad_input_of_cross_entropy = refusals(*BAD, of=lambda given: tl.cross_entropy(*given))
test_bad_input_of_perplexity = refusals(*BAD, of=lambda given: tl.perplexity(*given))
test_bad_smoothing = refusals(
    *(("label_smoothing must be from 0 to 1", bad) for bad in (-0.1, 1.1, math.nan)),
    of=lambda bad: tl.cross_entropy(LOGITS, TARGETS, label_smoothing=bad),
)
