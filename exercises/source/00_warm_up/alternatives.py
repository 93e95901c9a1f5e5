"""Right answers written another way; the checks must take each of them."""

import numpy as np


def shares__rows(X):
    """Take one row after the other."""
    return np.array([row / row.sum() for row in X])
