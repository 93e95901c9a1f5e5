"""Right answers written another way; the checks must take each of them."""

import cmath
import math

import numpy as np


def encoding__loops(n, d_model):
    """Fill the table one entry after the other."""
    table = np.zeros((n, d_model))
    for position in range(n):
        for pair in range(d_model // 2):
            angle = position / 10000 ** (2 * pair / d_model)
            table[position, 2 * pair : 2 * pair + 2] = math.sin(angle), math.cos(angle)
    return table


def encoding__complex(n, d_model):
    """Take a hand for a complex number, and its logarithm for the angle."""
    speeds = np.exp(-math.log(10000) * np.arange(0, d_model, 2) / d_model)
    hands = np.exp(1j * np.outer(np.arange(n), speeds))
    return np.stack([hands.imag, hands.real], axis=-1).reshape(n, d_model)


def moved_on__complex(row, k):
    """Multiply each hand by a complex number of length 1."""
    hands = row.reshape(-1, 2) @ np.array([1j, 1])
    width = len(row)
    turned = [
        hand * cmath.exp(1j * k / 10000 ** (2 * pair / width)) for pair, hand in enumerate(hands)
    ]
    return np.array([part for hand in turned for part in (hand.imag, hand.real)])


def moved_on__arctan2(row, k):
    """Find the angle, add to it, and take sine and cosine again."""
    angles = np.arctan2(row[::2], row[1::2])
    ends = angles + k * 10000.0 ** (-np.arange(0, len(row), 2) / len(row))
    return np.ravel([np.sin(ends), np.cos(ends)], order="F")


def moved_on__matrix(row, k):
    """Write the turn as a matrix of blocks."""
    R = np.zeros((len(row), len(row)))
    for column in range(0, len(row), 2):
        turn = k / 10000 ** (column / len(row))
        c, s = math.cos(turn), math.sin(turn)
        R[column : column + 2, column : column + 2] = [[c, s], [-s, c]]
    return R @ row


def likeness__dot_product(k, d_model):
    """Take the dot product of the encodings of positions 50 and 50 + k."""
    first, second = (encoding_at(position, d_model) for position in (50, 50 + k))
    return float(first @ second) / (d_model / 2)


def likeness__loop(k, d_model):
    """Add the cosines up one after the other."""
    pairs = range(d_model // 2)
    return math.fsum(math.cos(k / 10000 ** (2 * i / d_model)) for i in pairs) * 2 / d_model


def encoding_at(position, d_model):
    """Return the encoding of one position, which may be negative."""
    angles = [position / 10000 ** (2 * pair / d_model) for pair in range(d_model // 2)]
    return np.array([wave(angle) for angle in angles for wave in (math.sin, math.cos)])


def mended_add_positions__take(X_new, n_seen, P):
    """Look the positions up as learned ones are."""
    return X_new + np.take(P, np.arange(len(X_new)) + n_seen, axis=0)


def mended_add_positions__loop(X_new, n_seen, P):
    """Add one row after the other."""
    return np.stack([P[n_seen + place] + row for place, row in enumerate(X_new)])


def hand_angles__fractions(given):
    """Round to three significant digits."""
    root = {16: 2, 81: 3, 10000: 10}[given["hand_base"]]
    return [float(f"{given['hand_position'] / root**pair:.3g}") for pair in range(4)]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][3]}
