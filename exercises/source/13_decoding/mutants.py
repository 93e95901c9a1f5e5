# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 13: TASK__MISTAKE stands in for TASK and must lose its points."""

import itertools

import numpy as np


def greedy__always_the_first(table, end, limit):
    """Write the lowest id up to the limit."""
    return [0 if end else 1] * limit


def greedy__runs_past_the_end(table, end, limit):
    """Go on after the end token with the last distribution that there is."""
    ids, row = [], None
    for _ in range(limit):
        row = table.get(tuple(ids), row)
        ids.append(int(np.argmax(row)))
    return ids


def greedy__end_left_out(table, end, limit):
    """Do not write the end token."""
    ids = []
    while len(ids) < limit:
        best = int(np.argmax(table[tuple(ids)]))
        if best == end:
            break
        ids.append(best)
    return ids


def greedy__first_row_only(table, end, limit):
    """Ask for the first token again and again."""
    ids = []
    while len(ids) < limit and end not in ids:
        ids.append(int(np.argmax(table[()])))
    return ids


def greedy__highest_id_on_ties(table, end, limit):
    """Take the last of several best tokens."""
    ids = []
    while len(ids) < limit and end not in ids:
        row = table[tuple(ids)]
        ids.append(int(len(row) - 1 - np.argmax(row[::-1])))
    return ids


def greedy__least_probable(table, end, limit):
    """Take the smallest."""
    ids = []
    while len(ids) < limit and end not in ids and tuple(ids) in table:
        ids.append(int(np.argmin(table[tuple(ids)])))
    return ids


def greedy__one_too_many(table, end, limit):
    """Write one token more than allowed, if the table has it."""
    ids = []
    while len(ids) <= limit and end not in ids and tuple(ids) in table:
        ids.append(int(np.argmax(table[tuple(ids)])))
    return ids


def greedy__short_memory(table, end, limit):
    """Ask for what comes after the last three ids."""
    ids = []
    while len(ids) < limit and end not in ids:
        ids.append(int(np.argmax(table[tuple(ids[-3:])])))
    return ids


def keep_top_k__identity(probabilities, k):
    """Keep everything."""
    return probabilities


def keep_top_k__every_tie(probabilities, k):
    """Keep all that are at least as probable as the k-th."""
    kept = np.where(probabilities >= np.sort(probabilities)[-k], probabilities, 0)
    return kept / kept.sum()


def keep_top_k__not_divided(probabilities, k):
    """Leave the sum as it is."""
    best = np.argsort(-probabilities, kind="stable")[:k]
    kept = np.zeros(len(probabilities))
    kept[best] = probabilities[best]
    return kept


def keep_top_k__uniform(probabilities, k):
    """Give the kept tokens equal shares."""
    kept = np.zeros(len(probabilities))
    kept[np.argsort(-probabilities, kind="stable")[:k]] = 1 / k
    return kept


def keep_top_k__highest_ids_on_ties(probabilities, k):
    """Sort upwards and take the end."""
    best = np.argsort(probabilities, kind="stable")[-k:]
    kept = np.zeros(len(probabilities))
    kept[best] = probabilities[best]
    return kept / kept.sum()


def keep_top_k__quick_sort(probabilities, k):
    """Trust that numpy's default sort keeps the order of equal entries."""
    best = np.argsort(-probabilities)[:k]
    kept = np.zeros(len(probabilities))
    kept[best] = probabilities[best]
    return kept / kept.sum()


def keep_top_k__least_probable(probabilities, k):
    """Keep the k smallest."""
    best = np.argsort(probabilities, kind="stable")[:k]
    kept = np.zeros(len(probabilities))
    kept[best] = probabilities[best]
    return kept / kept.sum()


def keep_top_k__sorted(probabilities, k):
    """Return the kept ones in order, not at their ids."""
    kept = -np.sort(-probabilities)
    kept[k:] = 0
    return kept / kept.sum()


def keep_top_k__changes_argument(probabilities, k):
    """Set the others to 0 in place."""
    probabilities[np.argsort(-probabilities, kind="stable")[k:]] = 0
    return probabilities / probabilities.sum()


def softmax(logits):
    """Do it right."""
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


def first_beyond(probabilities, u):
    """Draw by running totals."""
    return int(np.searchsorted(np.cumsum(probabilities), u, side="right"))


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
    return first_beyond(exponentials / exponentials.sum(), u)


def draw__best_first(logits, temperature, u):
    """Lay the pieces from the most probable token on."""
    probabilities = softmax(logits / temperature)
    order = np.argsort(-probabilities, kind="stable")
    return int(order[min(first_beyond(probabilities[order], u), len(order) - 1)])


def draw__past_the_end(logits, temperature, u):
    """Trust that the totals reach 1, and otherwise take the last token of all."""
    totals = np.cumsum(softmax(logits / temperature) * (1 - 2**-52))
    return min(int(np.searchsorted(totals, u, side="right")), len(logits) - 1)


def beam(table, end, width, limit, *, score, places=True, forget=False):
    """Search with a beam; the switches are mistakes."""
    living, finished = [(0.0, ())], []
    for _ in range(limit):
        found = [
            (total + np.log(p), (*ids, i))
            for total, ids in living
            for i, p in enumerate(table[ids])
        ]
        ranked = sorted(found, reverse=True)
        best = ranked[:width]
        finished += [one for one in best if one[1][-1] == end]
        living = [one for one in (best if places else ranked) if one[1][-1] != end][:width]
    candidates = (living or finished) if forget else finished + living
    return list(max(candidates, key=lambda one: score(one[0], len(one[1])))[1])


def beam_search__greedy(table, end, width, limit, alpha):
    """Follow one sequence."""
    return beam(table, end, 1, limit, score=lambda total, n: total)


def beam_search__exhaustive(table, end, width, limit, alpha):
    """Look at all sequences, whatever the width."""
    return beam(table, end, 10**6, limit, score=lambda total, n: total / ((5 + n) / 6) ** alpha)


def beam_search__no_penalty(table, end, width, limit, alpha):
    """Compare plain probabilities."""
    return beam(table, end, width, limit, score=lambda total, n: total)


def beam_search__mean_logarithm(table, end, width, limit, alpha):
    """Divide by the length to the power of alpha."""
    return beam(table, end, width, limit, score=lambda total, n: total / n**alpha)


def beam_search__penalty_multiplies(table, end, width, limit, alpha):
    """Multiply by the penalty, which favors short sequences."""
    return beam(table, end, width, limit, score=lambda total, n: total * ((5 + n) / 6) ** alpha)


def beam_search__forgets_finished(table, end, width, limit, alpha):
    """Let what still lives win."""
    return beam(
        table, end, width, limit, forget=True, score=lambda total, n: total / ((5 + n) / 6) ** alpha
    )


def beam_search__finished_take_no_place(table, end, width, limit, alpha):
    """Fill the beam up with living sequences."""
    return beam(
        table,
        end,
        width,
        limit,
        places=False,
        score=lambda total, n: total / ((5 + n) / 6) ** alpha,
    )


def beam_search__last_token_alone(table, end, width, limit, alpha):
    """Rank by the probability of the newest token."""
    living, finished = [(0.0, ())], []
    for _ in range(limit):
        found = [(np.log(p), (*ids, i)) for _, ids in living for i, p in enumerate(table[ids])]
        best = sorted(found, reverse=True)[:width]
        finished += [one for one in best if one[1][-1] == end]
        living = [one for one in best if one[1][-1] != end]
    return list(max(finished + living)[1])


def beam_search__cut_in_each_sequence(table, end, width, limit, alpha):
    """Keep the best continuations of each sequence, and all of these that end."""
    living, finished = [(0.0, ())], []
    for _ in range(limit):
        found = []
        for total, ids in living:
            grown = [(total + np.log(p), (*ids, i)) for i, p in enumerate(table[ids])]
            found += sorted(grown, reverse=True)[:width]
        finished += [one for one in found if one[1][-1] == end]
        living = sorted((one for one in found if one[1][-1] != end), reverse=True)[:width]
    return list(max(finished + living, key=lambda one: one[0] / (5 + len(one[1])) ** alpha)[1])


def beam_search__finished_pushed_out(table, end, width, limit, alpha):
    """Let finished sequences compete for their places at each step."""

    def score(one):
        return one[0] / (5 + len(one[1])) ** alpha

    best = [(0.0, ())]
    for _ in range(limit):
        found = [one for one in best if one[1][-1:] == (end,)]
        for total, ids in best:
            if ids[-1:] != (end,):
                found += [(total + np.log(p), (*ids, i)) for i, p in enumerate(table[ids])]
        best = sorted(found, key=score, reverse=True)[:width]
    return list(max(best, key=score)[1])


def beam_search__stops_at_the_first_end(table, end, width, limit, alpha):
    """Stop as soon as one sequence has ended."""
    living, finished = [(0.0, ())], []
    for _ in range(limit):
        found = [
            (total + np.log(p), (*ids, i))
            for total, ids in living
            for i, p in enumerate(table[ids])
        ]
        best = sorted(found, reverse=True)[:width]
        finished += [one for one in best if one[1][-1] == end]
        living = [one for one in best if one[1][-1] != end]
        if finished:
            break
    return list(max(finished + living, key=lambda one: one[0] / (5 + len(one[1])) ** alpha)[1])


def answers_of(given):
    """Return the right three."""
    a, b, x, y = (given[f"hand_{letter}"] for letter in "abxy")
    return a * x / 100, b * y / 100, b / (a + b)


def hand_tree__greedy_is_best(given):
    """Take greedy's sequence for the best."""
    greedy, _, top_p = answers_of(given)
    return [greedy, greedy, top_p]


def hand_tree__sums(given):
    """Average the probabilities of the two tokens."""
    a, b, x, y = (given[f"hand_{letter}"] for letter in "abxy")
    return [(a + x) / 20, (b + y) / 20, max(answers_of(given)[2], (b + y) / 20 + 0.01)]


def hand_tree__exceeds(given):
    """Ask for more than p, so that all three tokens are kept."""
    greedy, best, _ = answers_of(given)
    return [greedy, best, given["hand_b"] / 10]


def hand_tree__uniform(given):
    """Give both kept tokens the same share."""
    greedy, best, _ = answers_of(given)
    return [greedy, best, 0.5]


def hand_tree__the_other_token(given):
    """Give the share of greedy's token."""
    greedy, best, top_p = answers_of(given)
    return [greedy, best, 1 - top_p]


def hand_tree__best_second_token(given):
    """Follow greedy's first token with the largest number of the whole table."""
    _, best, top_p = answers_of(given)
    return [given["hand_a"] * given["hand_y"] / 100, max(best, 0.5), max(top_p, 0.51)]


def prediction__a_factor_cancels(given):
    """Take a factor for a summand."""
    return {"guess": "b", "because": "a"}


def prediction__probabilities_divided(given):
    """Divide probabilities."""
    return {"guess": "c", "because": "b"}


def prediction__order_turned(given):
    """Think that heat turns the order around."""
    return {"guess": "c", "because": "d"}


def mended_top_p__copied(probabilities, p):
    """Hand the broken function back."""
    kept, total = np.zeros(len(probabilities)), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        total += probabilities[i]
        if total > p + 1e-9:
            break
        kept[i] = probabilities[i]
    with np.errstate(all="ignore"):
        return kept / kept.sum()


def nucleus(probabilities, enough, *, divide=True):
    """Keep tokens until `enough` says so of the total."""
    kept, total = np.zeros(len(probabilities)), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        if enough(total) and kept.any():
            break
        kept[i] = probabilities[i]
        total += probabilities[i]
    return kept / kept.sum() if divide else kept


def mended_top_p__one_too_many(probabilities, p):
    """Ask for more than p."""
    return nucleus(probabilities, lambda total: total > p + 1e-9)


def mended_top_p__no_rounding(probabilities, p):
    """Trust sums of decimals."""
    return nucleus(probabilities, lambda total: total >= p)


def mended_top_p__not_divided(probabilities, p):
    """Leave the sum as it is."""
    return nucleus(probabilities, lambda total: total >= p - 1e-9, divide=False)


def mended_top_p__fifty_best(probabilities, p):
    """Look at the fifty best tokens only."""
    short = np.zeros(len(probabilities))
    best = np.argsort(-probabilities, kind="stable")[:50]
    short[best] = probabilities[best]
    return nucleus(short, lambda total: total >= p - 1e-9)


def mended_top_p__in_the_order_of_ids(probabilities, p):
    """Forget to sort."""
    totals = list(itertools.accumulate(probabilities, initial=0.0))[:-1]
    kept = np.where(np.array(totals) >= p - 1e-9, 0.0, probabilities)
    return kept / kept.sum()


def mended_top_p__best_token_added(probabilities, p):
    """Mend the nan alone: the best token is always kept."""
    kept = mended_top_p__copied(probabilities, p)
    if np.isnan(kept).any():
        kept = np.zeros(len(probabilities))
        kept[np.argmax(probabilities)] = 1
    return kept


def mended_top_p__identity(probabilities, p):
    """Keep everything."""
    return probabilities


def slip__row_with_the_end(given):
    """Pick the row in which the end wins."""
    return {"row": "e", "mend": "a", "effect": "b"}


def slip__mends_the_wrong_way(given):
    """Make the sum larger."""
    return {"row": "d", "mend": "c", "effect": "b"}


def slip__greedy_changes(given):
    """Think that greedy looks at the sum."""
    return {"row": "d", "mend": "a", "effect": "a"}


def slip__sampler_does_not_care(given):
    """Think that nobody looks at the sum."""
    return {"row": "d", "mend": "a", "effect": "c"}
