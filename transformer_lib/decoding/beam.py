"""Beam search follows the best few sequences at once, ranked by length-normalized probability."""

import heapq
import math
from collections.abc import Sequence

from transformer_lib.decoding import next_token, row
from transformer_lib.decoding.next_token import NextLogits
from transformer_lib.decoding.result import BeamResult, Expansion, Hypothesis
from transformer_lib.formulas import checks


def length_penalty(length: int, alpha: float) -> float:
    """Return ((5 + length) / 6) ** alpha, by which beam search divides log-probabilities.

    Args:
        length: the number of tokens added to the prefix, including the end token, 0 or more.
        alpha: the exponent; 0 means no penalty, and larger values favor longer sequences more.

    Raises:
        ValueError: length is not an integer of 0 or more, or alpha is negative or not finite.

    Source: Wu et al. (2016), "Google's neural machine translation system", section 7, equation 14.

    >>> length_penalty(7, 1.0)
    2.0
    """
    checks.count(0, length=length)
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha must be 0 or more and finite, got {alpha}")
    return float(((5 + length) / 6) ** alpha)


def beam_search(
    next_logits: NextLogits,
    prefix: Sequence[int],
    *,
    width: int,
    end: int | None,
    max_new_tokens: int,
    alpha: float = 0.0,
) -> BeamResult:
    """Extend the best `width` sequences token by token and return the best `width` that were found.

    At each step, all continuations of all live sequences compete, and the best `width` are kept.
    Those that end with the end token leave the beam and are stored as finished; the others stay in
    it. Sequences that reach the limit count as they are. The score is
    log-probability / length_penalty. The search stops early once `width` finished sequences score
    at least as high as any live sequence still could: its current log-probability, which can only
    fall, divided by the penalty of the full length.
    Among equal sequences, the one whose parent ranks higher comes first, then the one with the more
    probable token, then the one with the lowest id.

    Args:
        next_logits: takes the list of ids so far and returns the logits of the next token, (V,).
        prefix: the ids to continue, one or more.
        width: the number of sequences that are followed; 1 is greedy search.
        end: the id that ends a sequence, or None to stop at the limit only.
        max_new_tokens: the maximum number of tokens to add.
        alpha: exponent of the length penalty, 0 or more; 0 compares plain log-probabilities.

    Returns:
        A `BeamResult` with the hypotheses and, for each step, the best 2 * width expansions.

    Raises:
        ValueError: an argument is not as described, or next_logits returns anything but one row of
            finite numbers or -inf.

    Source: Wu et al. (2016), section 7; Sutskever, Vinyals, Le (2014), section 3.2.

    >>> import numpy as np
    >>> table = np.log([[0.1, 0.6, 0.3], [0.8, 0.1, 0.1], [0.5, 0.45, 0.05]])
    >>> found = beam_search(lambda ids: table[ids[-1]], [2], width=2, end=1, max_new_tokens=2)
    >>> found.best.tokens, round(float(np.exp(found.best.log_probability)), 4)
    ((1,), 0.45)
    """
    ids = next_token.check_arguments(next_logits, prefix, end, max_new_tokens)
    next_token.positive_integer(width=width)
    longest = length_penalty(int(max_new_tokens), alpha)
    living = [Hypothesis((), 0.0, 0.0, False)]
    done: list[Hypothesis] = []
    steps: list[tuple[Expansion, ...]] = []
    while living and not (len(done) >= width and done[width - 1].score >= _bound(living, longest)):
        ranked = _expand(next_logits, ids, living, width, end, alpha)
        steps.append(ranked)
        beam = [_hypothesis(e) for e in ranked if e.fate != "dropped"]
        full = len(steps) == max_new_tokens
        done += [h for h in beam if h.finished or full]
        done.sort(key=lambda h: -h.score)
        living = [] if full else [h for h in beam if not h.finished]
    return BeamResult(tuple(done[:width]), tuple(steps))


def _bound(living: list[Hypothesis], longest: float) -> float:
    return max(h.log_probability for h in living) / longest


def _expand(
    next_logits: NextLogits,
    prefix: list[int],
    living: list[Hypothesis],
    width: int,
    end: int | None,
    alpha: float,
) -> tuple[Expansion, ...]:
    """Return the best 2 width continuations of all living sequences, best first."""
    penalty = length_penalty(len(living[0].tokens) + 1, alpha)
    found = []
    for rank, parent in enumerate(living):
        log_p = next_token.next_log_probabilities(next_logits, [*prefix, *parent.tokens])
        next_token.check_end(end, len(log_p))
        for place, token in enumerate(row.best(log_p, 2 * width).tolist()):
            if log_p[token] > -math.inf:
                found.append((-parent.log_probability - float(log_p[token]), rank, place, token))
    best = heapq.nsmallest(2 * width, found)
    return tuple(
        Expansion(living[rank].tokens, token, -cost, -cost / penalty, _fate(i, token, width, end))
        for i, (cost, rank, _, token) in enumerate(best)
    )


def _fate(place: int, token: int, width: int, end: int | None) -> str:
    if place >= width:
        return "dropped"
    return "finished" if token == end else "kept"


def _hypothesis(e: Expansion) -> Hypothesis:
    return Hypothesis((*e.parent, e.token), e.log_probability, e.score, e.fate == "finished")
