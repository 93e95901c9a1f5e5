# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 03: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes import mistakes_of, positions
from exercises.mistakes.positions import waves_of

CATALOGUE = {
    "encoding": mistakes_of(
        positions,
        "encoding",
        order="cosine_first counts_from_one",
        speeds="wrong_exponent one_speed width_of_the_check",
        pairs__speeds="exponent_of_columns",
    ),
    "mended_add_positions": mistakes_of(
        positions,
        "add_positions",
        pieces="prompt_and_single_words changes_argument",
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__distance_alone": "ac",  # Take what holds for the encodings for the sums.
    "prediction__longer_vectors": "bb",  # Think that encodings grow.
    "prediction__clocks_stand_still": "ba",  # Think that clocks run down.
    "slip__added_instead": "aaa",  # Add the embedding once more.
    "slip__nothing_negative": "bba",  # Forget that waves go below 0.
    "slip__cosine_first": "bab",  # Begin the encoding of position 0 with a 1.
    "slip__position_zero_adds_nothing": "bac",  # Forget the cosines at position 0.
}


def turned(row, turn):
    """Turn each hand of a row by its own angle."""
    s, c = row[0::2], row[1::2]
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([s * cos + c * sin, c * cos - s * sin], axis=-1).ravel()


def turn_of(row, k):
    """The right turn of each pair."""
    return k / 10000 ** (np.arange(0, len(row), 2) / len(row))


def moved_on__identity(row, k):
    """Stay."""
    return row.copy()


def moved_on__clock__backward(row, k):
    """Turn the wrong way."""
    return turned(row, -turn_of(row, k))


def moved_on__arcsin(row, k):
    """Find the angle on one side of the clock only."""
    return waves_of(np.arcsin(np.clip(row[0::2], -1, 1)) + turn_of(row, k))


def moved_on__back__never_back(row, k):
    """Ignore the sign of k."""
    return turned(row, turn_of(row, abs(k)))


def moved_on__speeds__position_of_the_last_clock(row, k):
    """Read the position from the last clock, which goes round too."""
    place = np.arctan2(row[-2], row[-1]) / turn_of(row, 1)[-1] + k
    return waves_of(np.asarray(turn_of(row, place)))


def likeness__first_clock(k, d_model):
    """Forget the slow clocks."""
    return np.cos(k)


def likeness__absolute(k, d_model):
    """Hold that places cannot be unlike."""
    return abs(np.cos(k / 10000 ** (np.arange(0, d_model, 2) / d_model)).mean())


def likeness__cosine_of_the_mean(k, d_model):
    """Average the angles first."""
    return np.cos(turn_of(range(d_model), k).mean())


def hand_angles__factor__one_speed(given):
    """Let i stay 0."""
    return [float(given["hand_position"])] * 4


def hand_angles__factor__wrong_exponent(given):
    """Take i / d for 2i / d."""
    return [given["hand_position"] / given["hand_base"] ** (pair / 8) for pair in range(4)]


def hand_angles__factor__exponent_twice(given):
    """Take the number of the column, and double it."""
    return [given["hand_position"] / given["hand_base"] ** (4 * pair / 8) for pair in range(4)]


def hand_angles__first__counts_from_one(given):
    """Begin with the pair i = 1."""
    return [given["hand_position"] / given["hand_base"] ** (2 * pair / 8) for pair in (1, 2, 3, 4)]


def hand_angles__first__position_from_one(given):
    """Count one position too many."""
    return [(given["hand_position"] + 1) / given["hand_base"] ** (pair / 4) for pair in range(4)]


def hand_angles__factor__linear(given):
    """Multiply the root by the number of the pair."""
    root = given["hand_base"] ** 0.25
    return [given["hand_position"] / max(1.0, root * pair) for pair in range(4)]


def hand_angles__reversed(given):
    """Give the slowest clock first."""
    return [given["hand_position"] / given["hand_base"] ** (pair / 4) for pair in (3, 2, 1, 0)]
