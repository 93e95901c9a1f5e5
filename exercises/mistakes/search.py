# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in greedy and beam search."""

import numpy as np


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


def greedy__highest_id_on_ties(table, end, limit):
    """Take the last of several best tokens."""
    ids = []
    while len(ids) < limit and end not in ids:
        row = table[tuple(ids)]
        ids.append(int(len(row) - 1 - np.argmax(row[::-1])))
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


def grown(total, ids, table):
    """Continue one sequence by each token."""
    return [(total + np.log(p), (*ids, i)) for i, p in enumerate(table[ids])]


def penalized(alpha):
    """Divide by the penalty, rightly."""
    return lambda total, n: total / ((5 + n) / 6) ** alpha


def beam(table, end, width, limit, *, score, places=True, forget=False, stop=False):
    """Search with a beam; the switches are mistakes."""
    living, finished = [(0.0, ())], []
    for _ in range(limit):
        found = [one for total, ids in living for one in grown(total, ids, table)]
        ranked = sorted(found, reverse=True)
        best = ranked[:width]
        finished += [one for one in best if one[1][-1] == end]
        living = [one for one in (best if places else ranked) if one[1][-1] != end][:width]
        if stop and finished:
            break
    candidates = (living or finished) if forget else finished + living
    return list(max(candidates, key=lambda one: score(one[0], len(one[1])))[1])


def beam_search__greedy(table, end, width, limit, alpha):
    """Follow one sequence."""
    return beam(table, end, 1, limit, score=lambda total, n: total)


def beam_search__exhaustive(table, end, width, limit, alpha):
    """Look at all sequences, whatever the width."""
    return beam(table, end, 10**6, limit, score=penalized(alpha))


def beam_search__no_penalty(table, end, width, limit, alpha):
    """Compare plain probabilities."""
    return beam(table, end, width, limit, score=lambda total, n: total)


def beam_search__mean_logarithm(table, end, width, limit, alpha):
    """Divide by the length to the power of alpha."""
    return beam(table, end, width, limit, score=lambda total, n: total / n**alpha)


def beam_search__forgets_finished(table, end, width, limit, alpha):
    """Let what still lives win."""
    return beam(table, end, width, limit, forget=True, score=penalized(alpha))


def beam_search__finished_take_no_place(table, end, width, limit, alpha):
    """Fill the beam up with living sequences."""
    return beam(table, end, width, limit, places=False, score=penalized(alpha))


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
            found += sorted(grown(total, ids, table), reverse=True)[:width]
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
                found += grown(total, ids, table)
        best = sorted(found, key=score, reverse=True)[:width]
    return list(max(best, key=score)[1])


def beam_search__stops_at_the_first_end(table, end, width, limit, alpha):
    """Stop as soon as one sequence has ended."""
    return beam(table, end, width, limit, stop=True, score=penalized(alpha))
