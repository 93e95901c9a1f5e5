# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 04: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes import attention, mistakes_of
from exercises.mistakes.attention import given_softmax

CATALOGUE = {
    "softmax": mistakes_of(
        attention,
        "softmax",
        rows__axes="wrong_axis whole_array",
        axes="changes_argument one_maximum",
        large="overflow",
    ),
    "attention": mistakes_of(
        attention, "attention", scale="unscaled divided_by_width divided_by_keys root_of_keys"
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__a_factor_cancels": "cb",  # Take a factor for a summand.
    "prediction__weights_grow": "cd",  # Forget that weights sum to 1.
    "prediction__long_keys_long_values": "bc",  # Mix up keys and values.
    "slip__blames_the_weights": "aa",  # Doubt the weights, which sum to 1.
    "slip__sums_to_the_width": "bb",  # Pick a test that the values themselves fail.
    "slip__longer_than_the_values": "bc",  # Pick a test that no average passes.
}


def attention_of_one_query__uniform(q, K, V):
    """Return the mean of the values."""
    return V.mean(axis=0)


def attention_of_one_query__scale__unscaled(q, K, V):
    """Leave out the scale."""
    return given_softmax(K @ q) @ V


def attention_of_one_query__scale__divided_by_width(q, K, V):
    """Divide by d_k."""
    return given_softmax(K @ q / len(q)) @ V


def attention_of_one_query__scale__root_of_keys(q, K, V):
    """Divide by the root of the number of keys."""
    return given_softmax(K @ q / np.sqrt(len(K))) @ V


def attention_of_one_query__scale__divided_by_keys(q, K, V):
    """Divide by the number of keys."""
    return given_softmax(K @ q / len(K)) @ V


def attention_of_one_query__query_first(q, K, V):
    """Multiply in the order of the letters, without a transpose."""
    return given_softmax(q @ K / np.sqrt(len(q))) @ V


def attention_of_one_query__wrong_axis(q, K, V):
    """Keep the scores as a column, so that each row of it is one score."""
    scores = K @ q[:, None] / np.sqrt(len(q))
    return (given_softmax(scores) * V).sum(axis=0)


def attention_of_one_query__best_key_alone(q, K, V):
    """Return the value of the best key."""
    return V[np.argmax(K @ q)]


def attention_of_one_query__mixes_keys(q, K, V):
    """Weigh the keys."""
    return given_softmax(K @ q / np.sqrt(len(q))) @ K


def attention_of_one_query__scale__size_of_this_check(q, K, V):
    """Divide by the root of 8, whatever the width."""
    return given_softmax(K @ q / np.sqrt(8)) @ V


def hand_weights__uniform(given):
    """Give every key the same weight."""
    return [1 / 3, 1 / 3, 1 / 3]


def hand_weights__scale__unscaled(given):
    """Leave out the scale, so that the odds are squared."""
    squares = [odds**2 for odds in given["hand_odds"]]
    return [square / sum(squares) for square in squares]


def hand_weights__scale__divided_by_width(given):
    """Divide by d_k = 4, so that the roots of the odds remain."""
    roots = [odds**0.5 for odds in given["hand_odds"]]
    return [root / sum(roots) for root in roots]


def hand_weights__no_exponential(given):
    """Divide the scaled scores by their sum."""
    logarithms = np.log(given["hand_odds"])
    return [float(logarithm / logarithms.sum()) for logarithm in logarithms]


def hand_weights__reversed(given):
    """Give the weights in the other order."""
    return [odds / sum(given["hand_odds"]) for odds in given["hand_odds"][::-1]]


def mended_attention__copied(Q, K, V):
    """Hand the broken function back."""
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ V


def mended_attention__nothing_subtracted(Q, K, V):
    """Leave the maximum out, so that loud queries overflow."""
    return given_softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V


def mended_attention__nan_to_zero(Q, K, V):
    """Sweep the nan under the carpet."""
    with np.errstate(all="ignore"):
        return np.nan_to_num(mended_attention__copied(Q, K, V))


def mended_attention__uniform(Q, K, V):
    """Return the mean of the values for every query."""
    return np.tile(V.mean(axis=0), (len(Q), 1))


def mended_attention__own__squeezed(Q, K, V):
    """Divide the scores of a loud row until exp does not overflow."""
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    loudest = np.abs(scores).max(axis=-1, keepdims=True)
    return given_softmax(scores / np.maximum(loudest / 700, 1)) @ V
