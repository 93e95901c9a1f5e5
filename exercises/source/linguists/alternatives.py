# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def hand_output__rounded(names):
    """Write three digits after the point, and compute the output with the rounded weights."""
    weights = [round(odds / sum(names["hand_odds"]), 3) for odds in names["hand_odds"]]
    pairs = zip(weights, names["hand_values"], strict=True)
    return [*weights, round(sum(weight * value for weight, value in pairs), 3)]


def word_surprisals__product(p, word):
    """Multiply the probabilities of the tokens of a word."""
    products = [1.0] * (max(word) + 1)
    for chance, number in zip(p.tolist(), word.tolist(), strict=True):
        products[number] *= chance
    return [-math.log2(product) for product in products]


def word_surprisals__bincount(p, word):
    """Let numpy add the bits by word."""
    return np.bincount(word, weights=np.log2(1 / p))


def mended_difference__whole_sentences(good, bad, shared):
    """Add all bits, because those of the shared tokens cancel."""
    return bad.sum() - good.sum()


def mended_difference__loop(good, bad, shared):
    """Add one token after the other, and return a number of Python."""
    difference = 0.0
    for bits in bad.tolist()[shared:]:
        difference += bits
    for bits in good.tolist()[shared:]:
        difference -= bits
    return difference


def prediction__another_guess(names):
    """Guess wrong and explain rightly: the guess costs nothing."""
    return {"guess": "b", "because": names["prediction_letters"][3]}
