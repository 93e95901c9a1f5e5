"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def decoder_mask__loops(ids, pad_id):
    """Decide about one pair after the other."""
    batch, n = ids.shape
    mask = np.zeros((batch, n, n), dtype=bool)
    for b in range(batch):
        for q in range(n):
            for k in range(q + 1):
                mask[b, q, k] = ids[b, k] != pad_id
    return mask


def decoder_mask__places(ids, pad_id):
    """Compare places, and repeat the real tokens for every query."""
    places = np.arange(ids.shape[1])
    real = np.repeat((ids != pad_id)[:, None], ids.shape[1], axis=1)
    return np.logical_and(real, places[:, None] >= places)


def masked_softmax__loops(scores, mask):
    """Take the softmax of what is left, one row at a time."""
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        kept = [
            float(score) for score, seen in zip(scores[place], mask[place], strict=True) if seen
        ]
        odds = [math.exp(score - max(kept)) for score in kept]
        weights[place][mask[place]] = [part / math.fsum(odds) for part in odds]
    return weights


def masked_softmax__logarithms(scores, mask):
    """Subtract the logarithm of the sum; clear empty rows at the end."""
    masked = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(masked - np.logaddexp.reduce(masked, axis=-1, keepdims=True))
    return np.where(mask, weights, 0.0)


def cross_attention__einsum(Y, X, W_Q, W_K, W_V):
    """Never make queries and keys: their two matrices act as one."""
    scores = np.einsum("qa,ak,bk,pb->qp", Y, W_Q, W_K, X) / math.sqrt(W_K.shape[1])
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    return np.einsum("qp,pb,bv->qv", weights, X, W_V)


def cross_attention__loops(Y, X, W_Q, W_K, W_V):
    """Take one decoder token after the other."""
    outputs = []
    for y in Y:
        scores = [float(y @ W_Q @ (x @ W_K)) / W_Q.shape[1] ** 0.5 for x in X]
        odds = [math.exp(score) for score in scores]
        outputs.append(sum(part * (x @ W_V) for part, x in zip(odds, X, strict=True)) / sum(odds))
    return np.array(outputs)


def mended_masked_attention__share_again(Q, K, V, mask):
    """Mask after the softmax, and divide by what is left."""
    odds = np.exp(Q @ K.T / np.sqrt(Q.shape[1])) * mask
    return odds / odds.sum(axis=1, keepdims=True) @ V


def mended_masked_attention__allowed_only(Q, K, V, mask):
    """Leave the hidden keys out altogether."""
    outputs = []
    for q, seen in zip(Q, mask, strict=True):
        odds = np.exp(K[seen] @ q / math.sqrt(q.size))
        outputs.append(odds @ V[seen] / math.fsum(odds))
    return np.array(outputs)


def hand_masked__rounded(given):
    """Round to three decimals, as one does by hand."""
    odds = [
        0 if place in (4, given["hand_pad"]) else o for place, o in enumerate(given["hand_odds"])
    ]
    return [round(part / sum(odds), 3) for part in odds]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][0]}
