# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in the feed-forward network."""

import math

import numpy as np


def bend(hidden, activation):
    """Apply ReLU or GELU, rightly."""
    if activation == "relu":
        return np.maximum(0, hidden)
    return hidden * (1 + np.vectorize(math.erf)(hidden / np.sqrt(2))) / 2


def feed_forward__identity(X, W_1, b_1, W_2, b_2, activation):
    """Return the tokens."""
    return X


def feed_forward__no_bend(X, W_1, b_1, W_2, b_2, activation):
    """Multiply twice and leave the bend out."""
    return (X @ W_1 + b_1) @ W_2 + b_2


def feed_forward__bend_at_the_end(X, W_1, b_1, W_2, b_2, activation):
    """Bend after the second product."""
    return bend((X @ W_1 + b_1) @ W_2 + b_2, activation)


def feed_forward__bend_twice(X, W_1, b_1, W_2, b_2, activation):
    """Bend after both products."""
    return bend(bend(X @ W_1 + b_1, activation) @ W_2 + b_2, activation)


def feed_forward__no_first_bias(X, W_1, b_1, W_2, b_2, activation):
    """Forget b_1."""
    return bend(X @ W_1, activation) @ W_2 + b_2


def feed_forward__no_second_bias(X, W_1, b_1, W_2, b_2, activation):
    """Forget b_2."""
    return bend(X @ W_1 + b_1, activation) @ W_2


def feed_forward__always_relu(X, W_1, b_1, W_2, b_2, activation):
    """Ignore the name of the bend."""
    return bend(X @ W_1 + b_1, "relu") @ W_2 + b_2


def feed_forward__erf_without_the_root(X, W_1, b_1, W_2, b_2, activation):
    """Forget the root of 2 inside of erf."""
    hidden = X @ W_1 + b_1
    gelu = hidden * (1 + np.vectorize(math.erf)(hidden)) / 2
    return (np.maximum(0, hidden) if activation == "relu" else gelu) @ W_2 + b_2


def feed_forward__silu(X, W_1, b_1, W_2, b_2, activation):
    """Take the logistic curve for the normal one."""
    hidden = X @ W_1 + b_1
    silu = hidden / (1 + np.exp(-hidden))
    return (np.maximum(0, hidden) if activation == "relu" else silu) @ W_2 + b_2


def feed_forward__gelu_by_tanh(X, W_1, b_1, W_2, b_2, activation):
    """Take the formula that is near to GELU and not equal."""
    z = X @ W_1 + b_1
    near = z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))) / 2
    return (np.maximum(0, z) if activation == "relu" else near) @ W_2 + b_2


def feed_forward__transposed_weights(X, W_1, b_1, W_2, b_2, activation):
    """Multiply by the transposes, as PyTorch keeps them."""
    return bend(X @ W_1.T + b_1, activation) @ W_2.T + b_2


def feed_forward__mean_over_tokens(X, W_1, b_1, W_2, b_2, activation):
    """Let the tokens see each other."""
    mixed = X - X.mean(axis=-2, keepdims=True)
    return bend(mixed @ W_1 + b_1, activation) @ W_2 + b_2
