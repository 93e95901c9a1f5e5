# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in embeddings: one-hot rows, lookup and scale."""

import numpy as np


def one_hot__identity(ids, size):
    """Put the ones on the diagonal."""
    return np.eye(len(ids), size)


def one_hot__sorted(ids, size):
    """Lose the order of the text."""
    return np.eye(size)[np.sort(ids)]


def one_hot__uniform(ids, size):
    """Share each row among all tokens."""
    return np.full((len(ids), size), 1 / size)


def one_hot__every_row_alike(ids, size):
    """Set the columns of all ids in all rows."""
    rows = np.zeros((len(ids), size))
    rows[:, ids] = 1
    return rows


def one_hot__transposed(ids, size):
    """Make the tokens columns."""
    return np.eye(size)[:, ids]


def one_hot__as_wide_as_the_largest_id(ids, size):
    """Let the text decide the width."""
    return np.eye(ids.max() + 1)[ids]


def embed__root_of_the_length(ids, E):
    """Multiply by the root of the length of the text."""
    rows = E[ids]
    return rows * np.sqrt(len(rows))


def embed__unscaled(ids, E):
    """Leave the scale out."""
    return E[ids]


def embed__larger_side(ids, E):
    """Take the larger of the two sizes of the table."""
    return E[ids] * np.sqrt(max(E.shape))


def embed__always_two(ids, E):
    """Use the factor of the example for every width."""
    return 2 * E[ids]


def tied_head__copies(E):
    """Tie once, by a copy that does not learn with the embedding."""
    own = E.copy()
    return lambda hidden: hidden @ own.T


def tied_head__transposed_at_the_end(E):
    """Turn the logits around instead of the matrix."""
    return lambda hidden: (hidden @ E.T).T
