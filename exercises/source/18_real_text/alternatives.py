# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math
from collections import Counter

import numpy as np


def windows__by_index(ids, starts, length):
    """Let numpy look all places up at once."""
    places = np.array(starts)[:, None] + np.arange(length)
    return ids[places], ids[places + 1]


def windows__loops(ids, starts, length):
    """Fill two tables entry by entry."""
    read = np.zeros((len(starts), length), int)
    say = np.zeros((len(starts), length), int)
    for row, start in enumerate(starts):
        for place in range(length):
            read[row, place] = ids[start + place]
            say[row, place] = ids[start + place + 1]
    return [read, say]


def probability__counters(text, a, b, V, D):
    """Count pairs once, and write the interpolation with weights."""
    pairs = Counter((text[i], text[i + 1]) for i in range(len(text) - 1))
    singles = Counter(text)
    low = max(singles[b] - D, 0) / len(text) + D * len(singles) / len(text) * (1 / V)
    total = sum(times for (first, _), times in pairs.items() if first == a)
    if total == 0:
        return low
    kinds = sum(first == a for first, _ in pairs)
    return max(pairs[a, b] - D, 0) / total + (D * kinds / total) * low


def probability__arrays(text, a, b, V, D):
    """Work with numpy throughout."""
    ids = np.array(text)
    low = np.maximum(np.bincount(ids, minlength=V) - D, 0)
    low = (low + D * len(np.unique(ids)) / V) / len(ids)
    after = np.bincount(ids[1:][ids[:-1] == a], minlength=V)
    if not after.sum():
        return low[b]
    return (np.maximum(after - D, 0) + D * (after > 0).sum() * low)[b] / after.sum()


def bits__one_by_one(probabilities, text):
    """Add in a loop, in nats at first."""
    return sum(-math.log(p) for p in probabilities) / math.log(2) / len(bytes(text, "utf-8"))


def copied__longest_runs(text, known, least):
    """Find the longest run from each place on, and keep those that are long enough."""
    covered = set()
    for start in range(len(text)):
        end = start
        while end < len(text) and text[start : end + 1] in known:
            end += 1
        if end - start >= least:
            covered |= set(range(start, end))
    return len(covered) / len(text)


def copied__a_set_of_runs(text, known, least):
    """Make a set of all runs of the known text first."""
    runs = {known[i : i + least] for i in range(len(known) - least + 1)}
    marks = np.zeros(len(text), bool)
    for i in range(len(text) - least + 1):
        if text[i : i + least] in runs:
            marks[i : i + least] = True
    return marks.mean()


def mended_windows__comprehensions(documents, length, every):
    """Divide, join, cut."""

    def cut(side):
        text = [i for document in side for i in [*document, 0]]
        return [text[n * length : (n + 1) * length] for n in range(len(text) // length)]

    test = documents[every - 1 :: every]
    train = [document for n, document in enumerate(documents, 1) if n % every]
    return cut(train), cut(test)


def hand_interpolation__from_counts(names):
    """Make the counts into shares at the end."""
    c, k, d = names["hand_c"], names["hand_k"], names["hand_d"]
    away = 0.5 * k
    return [away / c, (d - 0.5 + away / names["hand_s"]) / c, away / names["hand_t"] / c]


def prediction__another_guess(names):
    """Guess wrong and explain rightly."""
    return {"guess": "a", "because": names["prediction_letters"][3]}
