"""What scaled dot-product attention comes to in the notes, step by step, and the slips made."""

import numpy as np

from transformer_lib.formulas.attention import attention_steps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.softmax import softmax as formula_softmax


def restated(printed: Array) -> Array:
    """Return a value that the note prints a second time."""
    return printed


def stacked(first: Array, second: Array, third: Array) -> Array:
    """Write three vectors as the rows of a matrix."""
    return np.stack([first, second, third])


def transposed(matrix: Array) -> Array:
    """Swap rows and columns."""
    return matrix.T


def width(K: Array) -> float:
    """Return d_k, the number of columns of the keys."""
    return float(K.shape[-1])


def projected(W: Array, x: Array) -> Array:
    """Multiply an embedding, a column, by a weight matrix on its left."""
    return W @ x


def dot(q: Array, k: Array) -> Array:
    """Return the score of one query and one key."""
    return q @ k


def entries(a: float, b: float, c: float) -> Array:
    """Collect three scores into one vector."""
    return np.array([a, b, c])


def scores(Q: Array, K: Array) -> Array:
    """Return Q K^T, the scores before they are scaled."""
    return attention_steps(Q, K, K).scores


def scaled(scores: Array, d_k: float) -> Array:
    """Divide scores by the root of the width of the keys."""
    return scores / np.sqrt(d_k)


def softmax(scaled: Array) -> Array:
    """Return the softmax of each row."""
    return formula_softmax(scaled)


def entry(vector: Array, index: float) -> Array:
    """Return one weight of a vector of weights."""
    return vector[int(index)]


def weighted(weight: float, v: Array) -> Array:
    """Return one value vector times its weight."""
    return weight * v


def total(first: Array, second: Array, third: Array) -> Array:
    """Add three weighted value vectors."""
    return first + second + third


def output(weights: Array, V: Array) -> Array:
    """Return the weighted sums of the values."""
    return weights @ V


def scaled_cut(scores: Array, d_k: float, decimals: float) -> Array:
    """Scale, then cut the digits off instead of rounding them (a slip)."""
    return np.trunc(scaled(scores, d_k) * 10**decimals) / 10**decimals


def softmax_unscaled(scores: Array, decimals: float) -> Array:
    """Skip the division by sqrt(d_k), then make the row sum to exactly 1 (a slip).

    The weights are rounded, and the largest of them takes what the others leave of 1.
    """
    weights: Array = np.round(formula_softmax(scores), int(decimals))
    largest = np.argmax(weights)
    weights[largest] = 1 - (np.sum(weights) - weights[largest])
    return weights


def hardmax(scaled: Array) -> Array:
    """Give the largest score of each row all the weight, where softmax would share it (a slip)."""
    return (scaled == np.max(scaled, axis=-1, keepdims=True)).astype(np.float64)
