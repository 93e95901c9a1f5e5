# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

from itertools import groupby

import numpy as np


def mask__select(ids, chosen, fate, words, mask_id):
    """Choose among three arrays by conditions in order."""
    read = np.select([~chosen, fate < 0.8, fate < 0.9], [ids, mask_id, words], ids)
    targets = np.full_like(ids, -100)
    targets[chosen] = ids[chosen]
    return read, targets


def corrupt__groups(tokens, taken):
    """Group the neighbors that share a fate."""
    source, target, count = [], [], 0
    for gone, group in groupby(zip(taken, tokens, strict=True), key=lambda pair: pair[0]):
        words = [word for _, word in group]
        if gone:
            source.append(f"<{count}>")
            target.extend([f"<{count}>", *words])
            count += 1
        else:
            source.extend(words)
    target.append(f"<{count}>")
    return source, target


def adapted__whole_matrix(X, W, A, B, alpha):
    """Make the adapted matrix first."""
    rank = B.shape[0]
    return np.dot(X, W + np.dot(A, B) * (alpha / rank))


def distill__logaddexp(student, teacher, T):
    """Normalize with logaddexp."""
    p, q = (x / T - np.logaddexp.reduce(x / T, axis=1)[:, None] for x in (teacher, student))
    return float(np.mean(np.sum(np.exp(p) * (p - q), axis=1)) * T * T)


def hand_gap__rounded(given):
    """Round to three decimals."""
    red, wine, green = (given[f"hand_{name}"] for name in ("red_tea", "wine", "green_tea"))
    size = given["hand_rank"] * given["hand_rows"] + given["hand_rank"] * given["hand_columns"]
    return [round(red / (red + green), 3), round(wine / (wine + red), 3), size]


def adapt__copies(P, new, old, share, steps, rate):
    """Copy the arrays and move the copies, new examples first."""
    Q = {name: array.copy() for name, array in P.items()}
    for _ in range(steps):
        pairs = [(1 - share, slopes(Q, new)), (share, slopes(Q, old))]
        for weight, G in pairs:
            for name in Q:
                Q[name] -= rate * weight * G[name]
    rows = [[right(P, e), right(Q, e)] for e in (old, new)]
    return Q, np.array(rows)


def slopes(P, examples):
    """Return the gradients of the mean loss, one example after the other."""
    G = {name: np.zeros(array.shape) for name, array in P.items()}
    for language, noun, ending in examples:
        h = np.tanh(P["language"][language] + P["noun"][noun])
        d = np.exp(h @ P["ending"])
        d = d / d.sum() - (np.arange(d.size) == ending)
        G["ending"] += np.outer(h, d) / len(examples)
        back = (P["ending"] @ d) * (1 - h**2) / len(examples)
        G["language"][language] += back
        G["noun"][noun] += back
    return G


def right(P, examples):
    """Return the share of right endings, counted."""
    count = 0
    for language, noun, ending in examples:
        scores = np.tanh(P["language"][language] + P["noun"][noun]) @ P["ending"]
        count += int(np.argmax(scores)) == ending
    return count / len(examples)


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][2]}
