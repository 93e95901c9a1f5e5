# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in what is kept of a distribution and drawn from it."""

import itertools

import numpy as np

from exercises.mistakes.attention import softmax


def first_beyond(probabilities, u):
    """Draw by running totals, or else the last token that is possible."""
    beyond = np.flatnonzero((np.cumsum(probabilities) > u) & (probabilities > 0))
    return int(beyond[0] if len(beyond) else np.flatnonzero(probabilities)[-1])


def only(ids, probabilities):
    """Set all other probabilities to 0."""
    kept = np.zeros(len(probabilities))
    kept[ids] = probabilities[ids]
    return kept


def draw__most_probable(logits, temperature, u):
    """Take the best token, whatever u is."""
    return int(np.argmax(logits))


def draw__uniform(logits, temperature, u):
    """Give every token the same piece."""
    return int(u * len(logits))


def draw__no_temperature(logits, temperature, u):
    """Ignore the temperature."""
    return first_beyond(softmax(logits), u)


def draw__temperature_multiplies(logits, temperature, u):
    """Multiply the logits by the temperature."""
    with np.errstate(all="ignore"):
        return first_beyond(softmax(logits * temperature), u)


def draw__temperature_of_the_probabilities(logits, temperature, u):
    """Divide the probabilities, which changes nothing once they sum to 1 again."""
    shares = softmax(logits) / temperature
    return first_beyond(shares / shares.sum(), u)


def draw__at_least(logits, temperature, u):
    """Take the first total that is at least u."""
    return int(np.searchsorted(np.cumsum(softmax(logits / temperature)), u, side="left"))


def draw__unstable(logits, temperature, u):
    """Subtract nothing before exp."""
    exponentials = np.exp(logits / temperature)
    totals = np.cumsum(exponentials / exponentials.sum())
    return int(np.searchsorted(totals, u, side="right"))


def draw__best_first(logits, temperature, u):
    """Lay the pieces from the most probable token on."""
    probabilities = softmax(logits / temperature)
    order = np.argsort(-probabilities, kind="stable")
    return int(order[min(first_beyond(probabilities[order], u), len(order) - 1)])


def draw__past_the_end(logits, temperature, u):
    """Trust that the totals reach 1, and otherwise take the last token of all."""
    totals = np.cumsum(softmax(logits / temperature) * (1 - 2**-52))
    return min(int(np.searchsorted(totals, u, side="right")), len(logits) - 1)


def keep_top_k__every_tie(probabilities, k):
    """Keep all that are at least as probable as the k-th."""
    kept = np.where(probabilities >= np.sort(probabilities)[-k], probabilities, 0)
    return kept / kept.sum()


def keep_top_k__not_divided(probabilities, k):
    """Leave the sum as it is."""
    best = np.argsort(-probabilities, kind="stable")[:k]
    return only(best, probabilities)


def keep_top_k__uniform(probabilities, k):
    """Give the kept tokens equal shares."""
    kept = np.zeros(len(probabilities))
    kept[np.argsort(-probabilities, kind="stable")[:k]] = 1 / k
    return kept


def keep_top_k__quick_sort(probabilities, k):
    """Trust that numpy's default sort keeps the order of equal entries."""
    best = np.argsort(-probabilities)[:k]
    kept = only(best, probabilities)
    return kept / kept.sum()


def keep_top_k__least_probable(probabilities, k):
    """Keep the k smallest."""
    best = np.argsort(probabilities, kind="stable")[:k]
    kept = only(best, probabilities)
    return kept / kept.sum()


def keep_top_k__sorted(probabilities, k):
    """Return the tokens that remain in order, not at their ids."""
    kept = -np.sort(-probabilities)
    kept[k:] = 0
    return kept / kept.sum()


def keep_top_k__changes_argument(probabilities, k):
    """Set the others to 0 in place."""
    probabilities[np.argsort(-probabilities, kind="stable")[k:]] = 0
    return probabilities / probabilities.sum()


def nucleus(probabilities, enough):
    """Keep tokens until `enough` says so of the total."""
    kept, total = np.zeros(len(probabilities)), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        if enough(total) and kept.any():
            break
        kept[i] = probabilities[i]
        total += probabilities[i]
    return kept / kept.sum()


def top_p__without_the_one_that_reaches_p(probabilities, p):
    """Stop before the token that reaches p."""
    kept, total = np.zeros(len(probabilities)), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        total += probabilities[i]
        if total > p + 1e-9:
            break
        kept[i] = probabilities[i]
    with np.errstate(all="ignore"):
        return kept / kept.sum()


def top_p__no_rounding(probabilities, p):
    """Trust sums of decimals."""
    return nucleus(probabilities, lambda total: total >= p)


def top_p__fifty_best(probabilities, p):
    """Look at the fifty best tokens only."""
    best = np.argsort(-probabilities, kind="stable")[:50]
    return nucleus(only(best, probabilities), lambda total: total >= p - 1e-9)


def top_p__in_the_order_of_ids(probabilities, p):
    """Forget to sort."""
    totals = list(itertools.accumulate(probabilities, initial=0.0))[:-1]
    kept = np.where(np.array(totals) >= p - 1e-9, 0.0, probabilities)
    return kept / kept.sum()


def top_p__best_token_added(probabilities, p):
    """Mend the nan alone: the best token is always kept."""
    kept = top_p__without_the_one_that_reaches_p(probabilities, p)
    if np.isnan(kept).any():
        kept = np.zeros(len(probabilities))
        kept[np.argmax(probabilities)] = 1
    return kept


def top_p__identity(probabilities, p):
    """Keep everything."""
    return probabilities
