"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def attend(Q, K, V):
    """Weigh the values of one head, one query after the other."""
    outputs = []
    for q in Q:
        scores = [float(q @ k) / math.sqrt(len(q)) for k in K]
        odds = [math.exp(score - max(scores)) for score in scores]
        outputs.append(sum(part / sum(odds) * v for part, v in zip(odds, V, strict=True)))
    return np.array(outputs)


def one_head__loops(X, W_Q, W_K, W_V, h, i):
    """Project to all columns first and take those of the head afterward."""
    width = X.shape[1] // h
    return attend(*((X @ W)[:, i * width :][:, :width] for W in (W_Q, W_K, W_V)))


def one_head__split(X, W_Q, W_K, W_V, h, i):
    """Let numpy cut the matrices."""
    return attend(*(X @ np.split(W, h, axis=1)[i] for W in (W_Q, W_K, W_V)))


def merge_heads__concatenate(H):
    """Put the heads side by side."""
    return np.concatenate(list(H), axis=-1)


def merge_heads__loops(H):
    """Build one row after the other."""
    return np.array([[number for piece in H[:, t] for number in piece] for t in range(H.shape[1])])


def multi_head_attention__loops(X, W_Q, W_K, W_V, W_O, h):
    """Take one head after the other, and put the outputs side by side."""
    heads = [one_head__split(X, W_Q, W_K, W_V, h, i) for i in range(h)]
    return np.hstack(heads) @ W_O


def multi_head_attention__einsum(X, W_Q, W_K, W_V, W_O, h):
    """Name the axes and never concatenate: the output is a sum over the heads."""
    d = len(W_O)
    q, k, v = (np.einsum("nd,dhc->hnc", X, W.reshape(d, h, d // h)) for W in (W_Q, W_K, W_V))
    scores = np.einsum("hqc,hkc->hqk", q, k) / math.sqrt(d // h)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.einsum("hqk,hkc,hcd->qd", weights, v, W_O.reshape(h, d // h, d))


def mended_split__stack(X, h):
    """Stack the columns of each head."""
    return np.stack(np.split(X, h, axis=1))


def mended_split__loops(X, h):
    """Fill one head after the other."""
    width = X.shape[1] // h
    heads = np.empty((h, len(X), width), dtype=X.dtype)
    for i in range(h):
        heads[i] = X[:, i * width : (i + 1) * width]
    return heads


def hand_counts__floats(given):
    """Count the same with floats."""
    d, h, k, v, n = (given[f"hand_{name}"] for name in ("model", "h", "k", "v", "n"))
    return [float(d * h * k), 2.0 * d * h * (k + v), float(h * n * n)]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "b", "because": given["prediction_letters"][1]}


def hand_counts__of_numpy(given):
    """Count with numpy, which has integers of its own."""
    sizes = (given[f"hand_{name}"] for name in ("model", "h", "k", "v", "n"))
    d_model, h, d_k, d_v, n = np.array(list(sizes))
    return [d_model * h * d_k, 2 * d_model * h * (d_k + d_v), h * n * n]
