"""These are right answers written another way, TASK__HOW; the checks must accept each of them."""

import numpy as np


def row_means__loop(X):
    """Compute the mean of one row after the other."""
    return np.array([sum(row) / max(len(row), 1) for row in X])


def hand_dot__floats(names):
    """Write the numbers as floats."""
    u, v = names["hand_u"], names["hand_v"]
    return [float(u @ v), float(u @ u)]


def prediction__other_guess(names):
    """Make a wrong guess, which costs nothing."""
    return {"guess": "b", "because": names["prediction_letters"][1]}


def mended_center__transposed(X):
    """Subtract the means from the columns of the transpose."""
    return (X.T - X.mean(axis=1)).T
