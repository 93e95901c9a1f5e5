"""What the notes' feed-forward example comes to, step by step, and the slips made there."""

import numpy as np

from transformer_lib.formulas.activation import relu as formula_relu
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import linear as formula_linear


def shape_in_words(matrix: Array) -> str:
    """Write rows and columns as notes do."""
    return "x".join(str(n) for n in matrix.shape)


def linear(X: Array, W: Array, b: Array) -> Array:
    """Multiply every row by W and add b."""
    return formula_linear(X, W, b)


def relu(X: Array) -> Array:
    """Replace every negative number by 0."""
    return formula_relu(X)


def linear_without_last_input(X: Array, W: Array, b: Array) -> Array:
    """Leave the last input, and its row of the weights, out of every sum (a slip)."""
    return linear(X[:, :-1], W[:-1], b)


def linear_of_last_input(X: Array, W: Array, b: Array) -> Array:
    """Keep only the last input of every sum (a slip)."""
    return linear(X[:, -1:], W[-1:], b)


def linear_minus_times_minus(X: Array, W: Array, b: Array) -> Array:
    """Count the product of two negative numbers as negative (a slip)."""
    return linear(X, W, b) - 2 * np.minimum(X, 0) @ np.minimum(W, 0)
