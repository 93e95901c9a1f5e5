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


def resumed__copies(checkpoint, batches, steps):
    """Copy the checkpoint, change the copy, and work the gradient out from counts."""
    new = {name: np.copy(value) for name, value in checkpoint.items()}
    losses = []
    while len(losses) < steps:
        W, step = new["W"], int(new["step"])
        counts = np.zeros(W.shape)
        pairs = batches[step % len(batches)]
        for a, b in pairs:
            counts[a, b] += 1 / len(pairs)
        Z = np.exp(W).sum(axis=1, keepdims=True)
        losses.append(float((counts * (np.log(Z) - W)).sum()))
        new["momentum"] *= 0.9
        new["momentum"] += counts.sum(axis=1, keepdims=True) * np.exp(W) / Z - counts
        new["W"] -= min((step + 1) / 10, 10 / (step + 1)) * new["momentum"]
        new["step"] = step + 1
    return new, losses


def mended_windows__comprehensions(documents, length, every):
    """Divide, join, cut."""

    def cut(side):
        text = [i for document in side for i in [*document, 0]]
        return [text[n * length : (n + 1) * length] for n in range(len(text) // length)]

    test = documents[every - 1 :: every]
    train = [document for n, document in enumerate(documents, 1) if n % every]
    return cut(train), cut(test)


def validation__in_hundredths(names):
    """Work with whole hundredths, which round nothing."""
    losses = [round(100 * loss) for loss in names["curve"]]
    best, since = losses[0], 0
    for step, loss in zip(names["curve_steps"], losses, strict=True):
        since = 0 if loss < best or step == 100 else since + 1
        best = min(best, loss)
        if since == 2:
            break
    kept = names["curve_steps"][losses.index(min(losses))]
    return [kept, step, (losses[-1] - min(losses)) / 100]


def prediction__another_guess(names):
    """Guess wrong and explain rightly."""
    return {"guess": "a", "because": names["prediction_letters"][3]}
