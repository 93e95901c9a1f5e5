"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def encode__index(words, tokens):
    """Search the list for every word."""
    return [tokens.index(word) if word in tokens else tokens.index("<unk>") for word in words]


def encode__numpy(words, tokens):
    """Compare every word with every token at once."""
    if not words:
        return []
    same = np.array(words)[:, None] == np.array(tokens)
    unknown = tokens.index("<unk>")
    return np.where(same.any(axis=1), same.argmax(axis=1), unknown).tolist()


def one_hot__eye(ids, size):
    """Take rows of the identity."""
    return np.eye(size)[ids]


def one_hot__compare(ids, size):
    """Compare each id with each column; the result is integers."""
    return (ids[:, None] == np.arange(size)).astype(int)


def cosines__loops(X):
    """Take one pair after the other."""
    return np.array([[np.dot(u, v) / math.hypot(*u) / math.hypot(*v) for v in X] for u in X])


def cosines__distance(X):
    """Use that unit vectors have |u - v|² = 2 - 2 cos."""
    unit = np.stack([row / math.sqrt(math.fsum(row**2)) for row in X])
    return 1 - ((unit[:, None] - unit[None]) ** 2).sum(axis=-1) / 2


def cosines__diagonal(X):
    """Read the lengths off the diagonal of the dot products."""
    dots = np.einsum("id,jd->ij", X, X)
    return dots / np.sqrt(np.outer(np.diag(dots), np.diag(dots)))


def mended_embed__product(ids, E):
    """Look up by a product with one-hot rows."""
    return np.eye(len(E))[ids] * math.sqrt(E.shape[-1]) @ E


def mended_embed__loop(ids, E):
    """Scale one row after the other."""
    return np.stack([E[number] * E[number].size ** 0.5 for number in ids])


def hand_cosines__rounded(given):
    """Round to three decimals, as one does by hand."""
    a, b, c = (np.array(given[f"hand_{letter}"]) for letter in "abc")
    first, second = round(float(a @ b) / 50, 3), round(float(a @ c) / 25, 3)
    return [first, second, first]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": given["prediction_letters"][0]}
