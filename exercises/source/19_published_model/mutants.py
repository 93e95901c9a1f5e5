# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Mistakes in the tasks on a published model: TASK__MISTAKE replaces TASK and must lose points."""

import numpy as np

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__knows_half": "bb",  # Take half of the answers for half of the pairs.
    "prediction__random": "bc",  # Take a constant answer for a random one.
    "prediction__names_the_probable": "cd",  # Believe that the answer is the measurement.
    "slip__line__a_consequence": "dd",  # Suspect the line that follows from the error.
    "slip__error__the_plain_mean": "cc",  # Find the line and keep its number.
    "slip__line__error__the_largest": "bb",  # Take the largest distance for the error.
    "slip__error__the_sum": "ca",  # Add and do not divide.
}


def opened(data, order="low", shift=0, minimum=1):
    """Open blocks, with what may go wrong in them."""
    blocks = data.reshape(-1, 20)
    d, m = blocks[:, :4].copy().view(np.float16).astype(float).T[:, :, None]
    low, high = blocks[:, 4:] & 15, blocks[:, 4:] >> 4
    if order == "pairs":
        q = np.stack([low, high], axis=2).reshape(-1, 32)
    else:
        q = np.concatenate([low, high] if order == "low" else [high, low], axis=1)
    return (d * (q.astype(float) - shift) + minimum * m).reshape(-1)


def open_blocks__scale__around_zero(data):
    """Subtract 8, as another format does, that has no minimum."""
    return opened(data, shift=8)


def open_blocks__scale__minimum_subtracted(data):
    """Subtract the minimum, because it is below 0."""
    return opened(data, minimum=-1)


def open_blocks__order__high_first(data):
    """Begin with the high halves."""
    return opened(data, "high")


def open_blocks__order__pairs(data):
    """Put the two numbers of a byte next to each other."""
    return opened(data, "pairs")


def open_blocks__several__one_scale(data):
    """Use the scale and the minimum of the first block for all blocks."""
    blocks = data.reshape(-1, 20).copy()
    blocks[:, :4] = blocks[0, :4]
    return opened(blocks.reshape(-1))


def open_blocks__order__several__all_low_halves_first(data):
    """Put the high halves of all blocks before the low halves of all."""
    blocks = data.reshape(-1, 20)
    d, m = blocks[:, :4].copy().view(np.float16).astype(float).T[:, :, None]
    low, high = (d * q + m for q in (blocks[:, 4:] & 15, blocks[:, 4:] >> 4))
    return np.concatenate([high.reshape(-1), low.reshape(-1)])


def token_of(names):
    """Return the bytes of one token."""
    return 2 * 30 * 3 * 64 * names["hand_size"]


def hand_bytes__token__keys_alone(names):
    """Forget the values."""
    token, n = token_of(names) // 2, names["hand_tokens"]
    return [token, n * token, 2 * n * token]


def hand_bytes__token__numbers(names):
    """Count numbers and not bytes."""
    token, n = token_of(names) // names["hand_size"], names["hand_tokens"]
    return [token, n * token, 2 * n * token]


def hand_bytes__token__nine_heads(names):
    """Count the heads of the queries."""
    token, n = 3 * token_of(names), names["hand_tokens"]
    return [token, n * token, 2 * n * token]


def hand_bytes__saved__all_of_nine(names):
    """Give the bytes of nine heads, not those that are saved."""
    token, n = token_of(names), names["hand_tokens"]
    return [token, n * token, 3 * n * token]


def hand_bytes__saved__two_thirds(names):
    """Take two thirds of what is left, not of what nine heads need."""
    token, n = token_of(names), names["hand_tokens"]
    return [token, n * token, n * token * 2 // 3]


def hand_bytes__sequence__saved__without_the_last(names):
    """Leave the last token out, although it is in the cache."""
    token, n = token_of(names), names["hand_tokens"] - 1
    return [token, n * token, 2 * n * token]


def right_shares__singular__prefers_are(differences, plural):
    """Count the preferences for are after a singular subject, too."""
    parts = differences[:, plural] > 0, differences[:, ~plural] > 0
    return np.stack([part.mean(axis=1) for part in parts], axis=1)


def right_shares__plural__singular__of_all_texts(differences, plural):
    """Divide by all texts."""
    parts = differences[:, plural] > 0, differences[:, ~plural] < 0
    return np.stack([part.sum(axis=1) / len(plural) for part in parts], axis=1)


def right_shares__plural__singular__over_prefixes(differences, plural):
    """Take the mean over the prefixes."""
    right = (differences > 0) == plural
    return np.stack([right[:, plural].mean(axis=0), right[:, plural].mean(axis=0)], axis=1)


def right_shares__plural__singular__together(differences, plural):
    """Do not separate the two kinds of texts."""
    share = ((differences > 0) == plural).mean(axis=1)
    return np.stack([share, share], axis=1)


def mended_interval__broken(right, rng):
    """Hand the broken function in again."""
    sentences = right.ravel()
    picks = rng.integers(right.size, size=(1000, right.size))
    return np.quantile(sentences[picks].mean(axis=1), [0.05, 0.95])


def mended_interval__one_noun(right, rng):
    """Draw a single noun for each resample."""
    picks = rng.integers(len(right), size=1000)
    return np.quantile(right[picks].mean(axis=1), [0.05, 0.95])


def mended_interval__quartiles(right, rng):
    """Take an interval for one half of the resamples."""
    picks = rng.integers(len(right), size=(1000, len(right)))
    return np.quantile(right[picks].mean(axis=(1, 2)), [0.25, 0.75])
