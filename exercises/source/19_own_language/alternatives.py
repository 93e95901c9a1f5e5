# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math
from itertools import product

import numpy as np


def all_sentences(rules, symbol):
    """The sentences that a symbol becomes, each with its probability."""
    if symbol not in rules:
        return [((symbol,), 1.0)]
    total, found = sum(w for w, _ in rules[symbol]), []
    for w, symbols in rules[symbol]:
        for parts in product(*(all_sentences(rules, each) for each in symbols)):
            words = tuple(word for part, _ in parts for word in part)
            found.append((words, w / total * math.prod(p for _, p in parts)))
    return found


def entropy__of_all_sentences(rules, start):
    """Write all sentences down."""
    return -sum(p * math.log2(p) for _, p in all_sentences(rules, start))


def entropy__a_linear_system(rules, start):
    """Solve for the entropies of all symbols at once."""
    names = list(rules)
    used, own = np.eye(len(names)), np.zeros(len(names))
    for row, name in enumerate(names):
        total = sum(w for w, _ in rules[name])
        for w, symbols in rules[name]:
            own[row] -= w / total * np.log2(w / total)
            for symbol in symbols:
                if symbol in rules:
                    used[row, names.index(symbol)] -= w / total
    return np.linalg.solve(used, own)[names.index(start)]


def mended_per_token__dots(chances, words):
    """Take the two means as dot products, the end apart."""
    return chances @ -np.log2(chances) / (chances @ words + 1)


def hand_entropy__rounded(names):
    """Write decimals."""
    of = [np.array(names[f"hand_{symbol}"]) for symbol in "SNV"]
    S, N, V = (float(np.log2(w.sum()) - w @ np.log2(w) / w.sum()) for w in of)
    return [S, N, V, round(S + N * float(of[0] @ [1, 2, 3]) / 4 + V, 3)]


def prediction__another_guess(names):
    """Guess wrong and explain rightly."""
    return {"guess": "b", "because": names["prediction_letters"][2]}


def tested_group__loops(text, asked, whole, without, random):
    """Go through sentences and numbers one by one, and return Python's own numbers."""
    left = []
    for sentence in text:
        if sentence != asked[0] and sentence != asked[1]:
            left.append(sentence)
    sums = [sum(float(whole[s] - row[s]) for s in range(3)) for row in without]
    group = sums.index(max(sums))
    loss = sum(float(whole[s] - without[group][s]) for s in (3, 4, 5)) / 3
    means = [sum(float(whole[s] - row[s]) for s in (3, 4, 5)) / 3 for row in random[group]]
    mean = sum(means) / len(means)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in means) / (len(means) - 1))
    counts = loss < mean - 5 * deviation or loss > mean + 5 * deviation
    return {"text": left, "group": group, "loss": loss, "counts": counts}


def tested_group__margins_averaged_first(text, asked, whole, without, random):
    """Average the margins and subtract then; the smallest margin that is left loses most."""
    group = np.argmin(without[:, :3].sum(axis=1))
    loss = whole[3:].mean() - without[group, 3:].mean()
    means = whole[3:].mean() - random[group, :, 3:].mean(axis=-1)
    z = (loss - np.mean(means)) / np.std(means, ddof=1)
    left = list(filter(lambda sentence: sentence not in set(asked), text))
    return {"counts": bool(np.abs(z) > 5), "loss": loss, "group": int(group), "text": left}


def control_says__another_guess(names):
    """Guess wrong and choose rightly; or guess nothing at all."""
    letters = names["control_letters"]
    return {"lupos": letters["lupos"][3], "servum": letters["servum"][1]}
