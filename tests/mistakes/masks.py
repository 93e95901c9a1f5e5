"""Masks and masked attention, right, with the arguments that tell mistakes from them."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(11)
PAD = 9
IDS = np.array([[5, 0, 7, 9, 9], [9, 3, 9, 4, 1], [2, 2, 0, 1, 6]])
SCORES = RNG.normal(size=(2, 3, 4))
MASK = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
LOUD = np.array([[0.0, 1.0, 1000.0], [-1000.0, -999.0, 5.0]])
HIDES_LOUD = np.array([[True, True, False], [True, True, False]])
Q, K, V = RNG.normal(size=(3, 6)), RNG.normal(size=(4, 6)), RNG.normal(size=(4, 2))


def decoder_mask(ids, pad_id):
    return tl.causal_mask(ids.shape[-1], like=ids) & tl.padding_mask(ids, pad_id)


def masked_softmax(scores, mask):
    """Weights of keys that are unit vectors, so that the queries are the scores."""
    unit = np.eye(scores.shape[-1])
    return tl.attention_steps(scores, unit, unit, mask, divisor=1.0).weights


def causal_mask(n, offset):
    return tl.causal_mask(n, offset=offset)


FORMULAS = {
    "decoder_mask": Formula(decoder_mask, [(IDS, PAD), (IDS[:2, :3], 0)]),
    "masked_softmax": Formula(masked_softmax, [(SCORES, MASK), (LOUD, HIDES_LOUD)]),
    "masked_attention": Formula(tl.attention, [(Q, K, V, MASK[[0, 2, 2]])]),
    "causal_mask": Formula(causal_mask, [(3, 0), (2, 3)]),
}
