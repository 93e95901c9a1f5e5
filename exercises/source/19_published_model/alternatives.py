# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import struct

import numpy as np


def open_blocks__struct(data):
    """Read each block with the standard library, number by number."""
    weights = []
    for start in range(0, len(data), 20):
        d, m, *found = struct.unpack("<ee16B", data[start : start + 20].tobytes())
        weights += [d * (byte % 16) + m for byte in found]
        weights += [d * (byte // 16) + m for byte in found]
    return np.array(weights)


def open_blocks__half_precision(data):
    """Compute with the type of the scale, which rounds."""
    parts = []
    for block in np.split(data, len(data) // 20):
        d, m = block[0:2].view(np.float16)[0], block[2:4].view(np.float16)[0]
        parts += [d * (block[4:] & 15) + m, d * (block[4:] >> 4) + m]
    return np.concatenate(parts)


def right_shares__loops(differences, plural):
    """Count text by text."""
    found = np.zeros((len(differences), 2))
    for row, numbers in enumerate(differences):
        for number, is_plural in zip(numbers, plural, strict=True):
            if is_plural and number > 0:
                found[row, 0] += 1
            elif not is_plural and number < 0:
                found[row, 1] += 1
    return found / [plural.sum(), len(plural) - plural.sum()]


def right_shares__products(differences, plural):
    """Let a matrix product add what is right."""
    right = ((differences > 0) == plural).astype(float)
    kinds = np.stack([plural, ~plural], axis=1).astype(float)
    return right @ (kinds / kinds.sum(axis=0))


def mended_interval__shares(right, rng):
    """Compute the share of each noun first, and resample in a loop."""
    shares = right.mean(axis=1)
    found = [rng.choice(shares, size=len(shares)).mean() for _ in range(1000)]
    return np.percentile(found, [5, 95])


def hand_bytes__floats(names):
    """Write the numbers as floats without a fraction."""
    token = float(2 * 30 * 3 * 64 * names["hand_size"])
    all_of_it = token * names["hand_tokens"]
    return [token, all_of_it, 3 * all_of_it - all_of_it]


def prediction__another_guess(names):
    """Guess wrong and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": names["prediction_letters"][0]}
