# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 02: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes import embedding, mistakes_of

CATALOGUE = {
    "one_hot": mistakes_of(
        embedding,
        "one_hot",
        places="identity sorted",
        width="as_wide_as_the_largest_id",
    ),
    "mended_embed": mistakes_of(
        embedding,
        "embed",
        widths="larger_side always_two",
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__neighbors_are_alike": "bd",  # Take the order of the list for a likeness.
    "prediction__same_one_hot_rows": "ab",  # Think that the ids stay.
    "prediction__learned_for_the_order": "cc",  # Think that the rows need their old places.
    "slip__column": "aba",  # Blame the row.
    "slip__it_fits": "cba",  # Count the wrong side.
    "slip__column_on_the_right": "baa",  # Multiply from the left, which needs a column of length V.
    "slip__never_silent": "bbc",  # Trust the shapes to catch everything.
}


def encode__unknown__unknown_is_zero(words, tokens):
    """Trust that the unknown token stands first."""
    return [tokens.index(word) if word in tokens else 0 for word in words]


def encode__unknown__skips_the_unknown(words, tokens):
    """Leave out what is not in the list."""
    return [tokens.index(word) for word in words if word in tokens]


def encode__known__counts_from_one(words, tokens):
    """Give the first token the id 1."""
    return [1 + tokens.index(word if word in tokens else "<unk>") for word in words]


def encode__unknown__lower_case(words, tokens):
    """Take Cats for cats."""
    small = [token.lower() for token in tokens]
    return [small.index(word.lower() if word.lower() in small else "<unk>") for word in words]


def encode__by_the_beginning(words, tokens):
    """Take the first token that begins like the word."""
    unknown = tokens.index("<unk>")
    begins = [[token.startswith(word) for token in tokens] for word in words]
    return [found.index(True) if True in found else unknown for found in begins]


def encode__known__each_word_once(words, tokens):
    """Give a word that comes twice one id."""
    return [tokens.index(word if word in tokens else "<unk>") for word in dict.fromkeys(words)]


def cosines__lengths__dot_products(X):
    """Forget the lengths."""
    return X @ X.T


def cosines__lengths__one_length(X):
    """Divide by the length of the first vector only."""
    return X @ X.T / np.linalg.norm(X, axis=1, keepdims=True)


def cosines__lengths__length_squared(X):
    """Divide by the square of one length."""
    return X @ X.T / (X * X).sum(axis=1, keepdims=True)


def cosines__identity(X):
    """Take different vectors for unlike ones."""
    return np.eye(len(X))


def cosines__uniform(X):
    """Take all vectors for alike."""
    return np.ones((len(X), len(X)))


def cosines__columns(X):
    """Divide each column by its length."""
    unit = X / np.linalg.norm(X, axis=0)
    return unit @ unit.T


def cosines__unit__lengths__distances(X):
    """Measure how far apart the points are."""
    return np.linalg.norm(X[:, None] - X[None], axis=-1)


def cosines__unit__absolute(X):
    """Lose the sign."""
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    return abs(unit @ unit.T)


def cosines__unit__cut_off(X):
    """Hold that a cosine cannot be negative."""
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    return np.clip(unit @ unit.T, 0, 1)


def cosines__pairs__changes_argument(X):
    """Divide in place."""
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X @ X.T


def hand_pairs(given):
    """The three pairs of vectors whose cosines are asked for."""
    a, b, c = (np.array(given[f"hand_{letter}"]) for letter in "abc")
    return [(a, b), (a, c), (given["hand_factor"] * a, b)]


def hand_cosines__dot_products(given):
    """Divide by nothing."""
    return [float(u @ v) for u, v in hand_pairs(given)]


def hand_cosines__cosines__one_length(given):
    """Divide by the length of the first vector only."""
    return [float(u @ v / np.linalg.norm(u)) for u, v in hand_pairs(given)]


def hand_cosines__cosines__all_lengths_five(given):
    """Forget that b is twice as long."""
    a, b, c = (np.array(given[f"hand_{letter}"]) for letter in "abc")
    return [float(a @ b / 25), float(a @ c / 25), float(a @ b / 25)]


def hand_cosines__sum_of_lengths(given):
    """Divide by the sum of the two lengths."""
    return [float(u @ v / (np.linalg.norm(u) + np.linalg.norm(v))) for u, v in hand_pairs(given)]


def hand_cosines__factor__longer_is_closer(given):
    """Let the factor raise the cosine."""
    a, b, c = (np.array(given[f"hand_{letter}"]) for letter in "abc")
    return [float(a @ b / 50), float(a @ c / 25), float(given["hand_factor"] * a @ b / 50)]


def hand_cosines__cosines__exchanged(given):
    """Pair the first entry of one vector with the second of the other."""
    return [
        float(u @ v[::-1] / np.linalg.norm(u) / np.linalg.norm(v)) for u, v in hand_pairs(given)
    ]
