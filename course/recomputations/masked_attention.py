"""What the notes' causal attention comes to, step by step, and the slips made there."""

import numpy as np

from course.recomputations.attention import scaled
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.mask import additive_mask, causal_mask
from transformer_lib.formulas.softmax import softmax


def projected(X: Array, W: Array) -> Array:
    """Multiply tokens, as rows, by the transpose of a weight matrix stored (out, in)."""
    return linear(X, W.T)


def factor(d_k: float) -> float:
    """Return what the scores are multiplied by, 1 / sqrt(d_k)."""
    return float(1 / np.sqrt(d_k))


def mask(n: float) -> Array:
    """Return the causal mask of n tokens as it is added to the scores."""
    return additive_mask(causal_mask(int(n), like=np.empty(0)))


def mask_signs(tokens: list[str]) -> list[list[str]]:
    """Write the causal mask of a sentence as a picture: "-inf" where masked, else a blank."""
    n = len(tokens)
    return [["-inf" if key > query else "" for key in range(n)] for query in range(n)]


def masked(scores: Array, d_k: float, mask: Array) -> Array:
    """Scale the scores and add the mask."""
    return scaled(scores, d_k) + mask


def row(matrix: Array, query: float) -> Array:
    """Return the row of one query."""
    return matrix[int(query)]


def weights_of(masked: Array, query: float) -> Array:
    """Return the attention weights of one query."""
    return softmax(masked[int(query)])


def attended(masked: Array, V: Array) -> Array:
    """Return the outputs of all queries."""
    return softmax(masked) @ V


def two_weights(weights: Array) -> Array:
    """Return the weights of the first two tokens, the only ones the second may look at."""
    return weights[:2]


def mixture(weights: Array, first: Array, second: Array) -> Array:
    """Return the weighted sum of two values."""
    return weights[0] * first + weights[1] * second


def in_float16(x: float) -> float:
    """Return the number that a half-precision float holds in the place of x."""
    with np.errstate(over="ignore"):
        return float(np.float16(x))


def masked_unscaled(scores: Array, d_k: float, mask: Array) -> Array:
    """Add the mask to scores that were not scaled (a slip)."""
    return scores + mask
