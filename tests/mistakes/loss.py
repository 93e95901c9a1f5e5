"""The head, its loss and perplexity, right, with the arguments that tell mistakes from them."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(23)
LOGITS, TARGETS = RNG.normal(size=(3, 4, 6)), RNG.integers(0, 6, size=(3, 4))
LOG_P = LOGITS - np.log(np.exp(LOGITS).sum(axis=-1, keepdims=True))
FAR_APART = np.array([[5000.0, 0.0], [0.0, 1.0]])
LONG = np.tile(np.log([0.1, 0.2, 0.7]), (900, 1)), RNG.integers(0, 3, size=900)
LOSSES = np.array([[0.5, 1.5, np.nan], [2.0, np.inf, np.nan]])
IDS = np.array([[0, 3, -100], [1, -100, -100]])


def smoothed_losses(log_probabilities, targets, s):
    return tl.cross_entropy_steps(log_probabilities, targets, label_smoothing=s).losses


def mean_loss(losses, targets):
    """Give the library two tokens of which the first, the right one, costs the loss."""
    with np.errstate(all="ignore"):
        logits = np.stack([-losses, np.log1p(-np.exp(-losses))], axis=-1)
    ids = np.where(targets == -100, -100, 0)
    return tl.cross_entropy(logits, ids, ignore_index=-100)


def next_token_loss(logits, ids):
    return tl.cross_entropy(logits[:-1], ids[1:])


FORMULAS = {
    "log_softmax": Formula(tl.log_softmax, [(LOGITS,), (FAR_APART,), (1000 * LOGITS,)]),
    "perplexity": Formula(tl.perplexity, [(LOG_P, TARGETS), LONG]),
    "smoothed_losses": Formula(smoothed_losses, [(LOG_P, TARGETS, 0.2)]),
    "mean_loss": Formula(mean_loss, [(LOSSES, IDS)]),
    "next_token_loss": Formula(next_token_loss, [(LOGITS[0], TARGETS[0])]),
}
