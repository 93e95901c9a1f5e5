# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import heapq
import math

import numpy as np


def greedy__recursion(table, end, limit, ids=()):
    """Choose one token and leave the rest to another call."""
    if limit == 0 or (ids and ids[-1] == end):
        return []
    row = list(table[ids])
    best = row.index(max(row))
    return [best, *greedy__recursion(table, end, limit - 1, (*ids, best))]


def keep_top_k__one_at_a_time(probabilities, k):
    """Move the largest over, k times."""
    left, kept = probabilities.tolist(), [0.0] * len(probabilities)
    for _ in range(k):
        best = left.index(max(left))
        kept[best], left[best] = left[best], -1.0
    return np.array([entry / math.fsum(kept) for entry in kept])


def keep_top_k__ranks(probabilities, k):
    """Count how many tokens come before each."""
    larger = (probabilities[None, :] > probabilities[:, None]).sum(axis=1)
    tied = np.tril(probabilities[None, :] == probabilities[:, None], k=-1).sum(axis=1)
    kept = probabilities * (larger + tied < k)
    return kept / kept.sum()


def draw__subtract_as_you_go(logits, temperature, u):
    """Walk along the pieces and use u up."""
    largest = max(logits.tolist())
    pieces = [math.exp((logit - largest) / temperature) for logit in logits.tolist()]
    left, last = u * math.fsum(pieces), None
    for i, piece in enumerate(pieces):
        if piece > 0:
            last = i
            if left < piece:
                break
            left -= piece
    return last


def draw__logarithms(logits, temperature, u):
    """Compare running totals of logarithms with the logarithm of u, and return numpy's integer."""
    scaled = logits / temperature
    log_p = scaled - np.logaddexp.reduce(scaled)
    with np.errstate(divide="ignore"):
        inside = np.logaddexp.accumulate(log_p) > np.log(u)
    inside &= log_p > -np.inf
    return np.argmax(inside) if inside.any() else np.flatnonzero(log_p > -np.inf)[-1]


def beam_search__heap(table, end, width, limit, alpha):
    """Keep costs on a heap, and remember the winner on the way."""
    living, winner = [(0.0, ())], (math.inf, ())
    for n in range(1, limit + 1):
        grown = []
        for cost, ids in living:
            for i, p in enumerate(table[ids].tolist()):
                heapq.heappush(grown, (cost - math.log(p), (*ids, i)))
        living = []
        for cost, ids in heapq.nsmallest(width, grown):
            if ids[-1] == end or n == limit:
                winner = min(winner, (cost * (6 / (5 + n)) ** alpha, ids))
            else:
                living.append((cost, ids))
        if not living:
            break
    return list(winner[1])


def mended_top_p__cumsum(probabilities, p):
    """Ask of each token how much came before it."""
    order = np.argsort(-probabilities, kind="stable")
    before = np.cumsum(probabilities[order]) - probabilities[order]
    kept = np.zeros_like(probabilities)
    nucleus = order[before < p - 1e-9]
    kept[nucleus] = probabilities[nucleus]
    return kept / kept.sum()


def mended_top_p__smallest_count(probabilities, p):
    """Try one token, two tokens and so on."""
    order = sorted(range(len(probabilities)), key=lambda i: (-probabilities[i], i))
    for count in range(1, len(order) + 1):
        total = math.fsum(probabilities[i] for i in order[:count])
        if total > p - 1e-9:
            break
    return np.array(
        [q / total if i in order[:count] else 0.0 for i, q in enumerate(probabilities.tolist())]
    )


def hand_count__one_by_one(given):
    """Write the tokens one after the other, and count."""
    without = cached = there = 0
    for choice in range(given["hand_new"]):
        there = given["hand_prompt"] + choice
        without += there
        cached += given["hand_prompt"] if choice == 0 else 1
    kept = [2 * given["hand_width"]] * given["hand_heads"] * given["hand_layers"]
    return (without, cached, float(sum(kept) * cached))


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "b", "because": given["prediction_letters"][2]}
