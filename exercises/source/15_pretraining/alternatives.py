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


def mended_loss__loops(log_p, targets):
    """Add up and count in two loops."""
    total, count = 0.0, 0
    for i in range(targets.shape[0]):
        for j in range(targets.shape[1]):
            if targets[i, j] != -100:
                total, count = total - log_p[i, j, targets[i, j]], count + 1
    return total / count if count else 0.0


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": given["prediction_letters"][2]}
