# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in recurrent networks; the gates stand in the order of PyTorch: i, f, g, o."""

import numpy as np


def logistic(z):
    """Squeeze into 0 to 1."""
    return 1 / (1 + np.exp(-z))


def sums_of(x, h, W_x, W_h):
    """The four sums before the gates."""
    return np.split(x @ W_x + h @ W_h, 4, axis=-1)


def lstm_step__gates_exchanged(x, h, c, W_x, W_h):
    """Take the input gate for the forget gate."""
    i, f, g, o = sums_of(x, h, W_x, W_h)
    return logistic(o) * np.tanh(logistic(i) * c + logistic(f) * np.tanh(g))


def lstm_step__output_before_candidate(x, h, c, W_x, W_h):
    """Let the last two blocks change places."""
    i, f, o, g = sums_of(x, h, W_x, W_h)
    return logistic(o) * np.tanh(logistic(f) * c + logistic(i) * np.tanh(g))


def lstm_step__cell_not_bent(x, h, c, W_x, W_h):
    """Give the cell out as it is."""
    i, f, g, o = sums_of(x, h, W_x, W_h)
    return logistic(o) * (logistic(f) * c + logistic(i) * np.tanh(g))


def lstm_step__nothing_forgotten(x, h, c, W_x, W_h):
    """Leave the forget gate out."""
    i, _, g, o = sums_of(x, h, W_x, W_h)
    return logistic(o) * np.tanh(c + logistic(i) * np.tanh(g))
