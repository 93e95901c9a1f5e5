"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def softmax__loops(scores):
    """Sum with math.fsum, one row at a time."""
    if np.ndim(scores) > 1:
        return np.array([softmax__loops(row) for row in scores])
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return np.array([value / math.fsum(exponentials) for value in exponentials])


def attention_of_one_query__loops(q, K, V):
    """Weigh the values one after the other."""
    weights = softmax__loops([sum(q * k) / math.sqrt(q.size) for k in K])
    return sum(weight * v for weight, v in zip(weights, V, strict=True))


def attention__einsum(Q, K, V):
    """Name the axes instead of transposing."""
    scores = np.einsum("qd,kd->qk", Q, K) * Q.shape[1] ** -0.5
    return np.einsum("qk,kv->qv", softmax__loops(scores), V)


def attention__loops(Q, K, V):
    """Take one query after the other."""
    return np.stack([attention_of_one_query__loops(q, K, V) for q in Q])


def mended_attention__logarithms(Q, K, V):
    """Stay with logarithms up to the last step."""
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    return np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)) @ V


def hand_weights__rounded(given):
    """Round to three decimals, as one does by hand."""
    return [round(odds / sum(given["hand_odds"]), 3) for odds in given["hand_odds"]]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][0]}
