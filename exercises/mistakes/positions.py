# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in positions: the encoding and what is added to new tokens."""

import numpy as np


def waves_of(angles):
    """Put sine and cosine of each angle side by side."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*angles.shape[:-1], -1)


def angles_of(n, d_model, base=10000.0):
    """The right angles, (n, d_model / 2)."""
    return np.arange(n)[:, None] / base ** (np.arange(0, d_model, 2) / d_model)


def encoding__wrong_exponent(n, d_model):
    """Take i / d for 2i / d."""
    return waves_of(np.arange(n)[:, None] / 10000 ** (np.arange(d_model // 2) / d_model))


def encoding__exponent_of_columns(n, d_model):
    """Give each column a speed of its own."""
    columns = np.arange(d_model)
    angles = np.arange(n)[:, None] / 10000 ** (columns / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def encoding__sines_then_cosines(n, d_model):
    """Put all sines before all cosines."""
    angles = angles_of(n, d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def encoding__cosine_first(n, d_model):
    """Exchange sine and cosine."""
    angles = angles_of(n, d_model)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(n, d_model)


def encoding__counts_from_one(n, d_model):
    """Start at position 1."""
    return waves_of(angles_of(n + 1, d_model)[1:])


def encoding__one_speed(n, d_model):
    """Let i stay 0 in every column."""
    return waves_of(angles_of(n, d_model, base=1.0))


def encoding__identity(n, d_model):
    """Give each position a column of its own."""
    return np.eye(n, d_model)


def encoding__width_of_the_check(n, d_model):
    """Know the speeds of width 8 only."""
    return waves_of(np.arange(n)[:, None] / 10.0 ** np.arange(d_model // 2))


def add_positions__starts_again(X_new, n_seen, P):
    """Give new tokens the positions from 0 on."""
    return X_new + P[: len(X_new)]


def add_positions__one_place_late(X_new, n_seen, P):
    """Count positions from 1 after the prompt."""
    start = n_seen + (n_seen > 0)
    return X_new + P[start : start + len(X_new)]


def add_positions__prompt_and_single_words(X_new, n_seen, P):
    """Know the two cases of the example only."""
    return X_new + (P[n_seen] if n_seen else P[: len(X_new)])


def add_positions__from_the_end(X_new, n_seen, P):
    """Take the last rows of the table."""
    return X_new + (P[-len(X_new) :] if n_seen else P[: len(X_new)])


def add_positions__changes_argument(X_new, n_seen, P):
    """Add in place."""
    X_new += P[n_seen : n_seen + len(X_new)]
    return X_new
