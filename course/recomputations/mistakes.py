"""Mistaken formulas that the questions offer as wrong answers; the notes did not make these."""

import numpy as np

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.softmax import softmax


def softmax_of_scores(scaled: Array) -> Array:
    """Take the softmax of scores that were not divided, for keys of width 3."""
    return softmax(scaled * np.sqrt(3))


def softmax_divided_by_width(scaled: Array) -> Array:
    """Divide by d_k = 3 where its root belongs."""
    return softmax(scaled / np.sqrt(3))


def softmax_multiplied(scaled: Array) -> Array:
    """Multiply by the root of d_k = 3 where a division belongs."""
    return softmax(scaled * 3)


def encoding_counting_columns(pos: float, d_model: float) -> Array:
    """Let i count columns instead of pairs in the exponent 2i / d_model."""
    column = np.arange(int(d_model))
    angles = pos / 10000 ** (2 * column / d_model)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


def linear_without_bias(X: Array, W: Array, b: Array) -> Array:
    """Leave the bias out."""
    return X @ W


def linear_transposed(X: Array, W: Array, b: Array) -> Array:
    """Multiply by the weights transposed."""
    return X @ W.T + b


def linear_then_relu(X: Array, W: Array, b: Array) -> Array:
    """Set what is negative after the second product to 0."""
    return np.maximum(0, X @ W + b)


def norm_unbiased(x: Array, sublayer: Array) -> float:
    """Divide by the deviation that divides by d - 1, and return the largest entry."""
    z = x + sublayer
    return float(((z - z.mean()) / z.std(ddof=1)).max())
