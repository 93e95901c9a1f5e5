"""What the notes' cross-attention comes to, step by step, and the slips made there."""

import numpy as np

from transformer_lib.formulas.attention import merge_heads
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import linear


def projected(X: Array, W: Array) -> Array:
    """Multiply tokens, as rows, by a weight matrix on their right."""
    return linear(X, W)


def concatenated(head_1: Array, head_2: Array) -> Array:
    """Put the outputs of two heads side by side."""
    merged = merge_heads(np.stack([np.atleast_2d(head_1), np.atleast_2d(head_2)]))
    return merged.reshape(*head_1.shape[:-1], -1)


def root(number: float) -> float:
    """Return a square root."""
    return float(np.sqrt(number))


def transposed_but_first_row(matrix: Array) -> Array:
    """Transpose, but copy the first row from the matrix as it was (a slip)."""
    turned = matrix.T.copy()
    turned[0] = matrix[0, : turned.shape[1]]
    return turned


def projected_with_rows_exchanged(X: Array, W: Array) -> Array:
    """Exchange the second and the third row of the weights before multiplying (a slip)."""
    order = np.arange(len(W))
    order[[1, 2]] = 2, 1
    return linear(X, W[order])


def scores_of_last_column(Q: Array, K: Array) -> Array:
    """Keep only the last product of each dot product (a slip)."""
    return Q[:, -1:] @ K[:, -1:].T
