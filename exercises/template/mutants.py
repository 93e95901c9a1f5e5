"""These are typical mistakes: TASK__MISTAKE replaces TASK and must lose points."""

import numpy as np


def row_means__of_columns(X):
    """Average over the wrong axis."""
    return X.mean(axis=0)


def row_means__no_thought_of_no_columns(X):
    """Divide by 0."""
    return X.mean(axis=1)


def hand_dot__sum_of_sums(names):
    """Add before multiplying; for an answer that is not a function, `names` holds the notebook."""
    u, v = names["hand_u"], names["hand_v"]
    return [int(u.sum() * v.sum()), int(u @ u)]


def hand_dot__no_squares(names):
    """Forget to square."""
    u, v = names["hand_u"], names["hand_v"]
    return [int(u @ v), int(u.sum())]


def prediction__doubled_squares(names):
    """Pick a wrong explanation."""
    return {"guess": "a", "because": names["prediction_letters"][0]}


def mended_center__broken(X):
    """Keep the bug."""
    return X - X.mean(axis=1)


def mended_center__columns(X):
    """Center the columns."""
    return X - X.mean(axis=0)


def mended_center__nothing(X):
    """Change nothing."""
    return np.array(X)


def slip__in_the_conclusion(names):
    """Name the wrong place."""
    letters = names["slip_letters"]
    return {"where": letters["where"][1], "angle": letters["angle"][0]}
