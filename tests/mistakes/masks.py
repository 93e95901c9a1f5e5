"""Masks and masked attention, right, with the arguments that tell mistakes from them."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula, close

RNG = np.random.default_rng(11)
PAD = 9
IDS = np.array([[5, 0, 7, 9, 9], [9, 3, 9, 4, 1], [2, 2, 0, 1, 6]])
SCORES = RNG.normal(size=(2, 3, 4))
MASK = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
LOUD = np.array([[0.0, 1.0, 1000.0], [-1000.0, -999.0, 5.0]])
HIDES_LOUD = np.array([[True, True, False], [True, True, False]])
Q, K, V = RNG.normal(size=(3, 6)), RNG.normal(size=(4, 6)), RNG.normal(size=(4, 2))
ONE_ALONE = np.array([[True, False, True, False]])


def decoder_mask(ids, pad_id):
    return tl.causal_mask(ids.shape[-1], like=ids) & tl.padding_mask(ids, pad_id)


def sees_itself_and_the_past_only(mask):
    return close(mask(np.array([[1, 2, 3]]), PAD), [[[1, 0, 0], [1, 1, 0], [1, 1, 1]]])


def padding_is_attended_by_nobody(mask):
    return not mask(IDS, PAD)[0, :, 3:].any()


def masked_softmax(scores, mask):
    """Weights of keys that are unit vectors, so that the queries are the scores."""
    unit = np.eye(scores.shape[-1])
    return tl.attention_steps(scores, unit, unit, mask, divisor=1.0).weights


def keeps_masked_keys_out(weights):
    return close(weights(SCORES, MASK) > 0, np.broadcast_to(MASK, SCORES.shape))


def weights_sum_to_one_under_a_mask(weights):
    return close(weights(SCORES, MASK).sum(axis=-1), np.tile([1.0, 0.0, 1.0], (2, 1)))


def mean_of_what_is_seen(attention):
    """Equal scores share 1 among the keys that are seen."""
    return close(attention(np.zeros((1, 6)), K, V, ONE_ALONE), V[[0, 2]].mean(axis=0)[None])


def causal_mask(n, offset):
    return tl.causal_mask(n, offset=offset)


def the_newest_token_sees_the_whole_cache(mask):
    return close(mask(1, 3), [[1, 1, 1, 1]])


FORMULAS = {
    "decoder_mask": Formula(
        decoder_mask,
        [(IDS, PAD), (IDS[:2, :3], 0)],
        [sees_itself_and_the_past_only, padding_is_attended_by_nobody],
    ),
    "masked_softmax": Formula(
        masked_softmax,
        [(SCORES, MASK), (LOUD, HIDES_LOUD)],
        [keeps_masked_keys_out, weights_sum_to_one_under_a_mask],
    ),
    "masked_attention": Formula(tl.attention, [(Q, K, V, MASK[[0, 2, 2]])], [mean_of_what_is_seen]),
    "causal_mask": Formula(causal_mask, [(3, 0), (2, 3)], [the_newest_token_sees_the_whole_cache]),
}
