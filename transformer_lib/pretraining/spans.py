"""Span corruption: a sentinel replaces each span of tokens, and the model predicts the spans."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from transformer_lib.decoding.draw import generator
from transformer_lib.formulas import checks
from transformer_lib.pretraining.masking import probability

Span = tuple[int, int]  # its first token, and the one behind its last


class Corrupted(NamedTuple):
    """What an encoder reads and what a decoder should generate."""

    source: tuple[str, ...]
    target: tuple[str, ...]


def span_count(n: int, share: float = 0.15, mean: float = 3.0) -> tuple[int, int]:
    """Return how many of n tokens are removed, and in how many spans.

    Raises:
        ValueError: n is below 2, share is not between 0 and 1, or mean is not positive.

    Source: Raffel et al. (2020), section 3.1.4.

    >>> span_count(512), span_count(13, share=0.3, mean=2.0)
    ((77, 26), (4, 2))
    """
    checks.count(2, n=n)
    probability(share=share)
    checks.positive(mean=mean)
    taken = min(max(round(n * share), 1), n - 1)
    return taken, max(1, min(round(taken / mean), taken, n - taken + 1))


def draw_spans(n: int, taken: int, count: int, rng: np.random.Generator) -> list[Span]:
    """Sample `count` spans, at least a token apart, that remove `taken` of n tokens.

    All such choices are equally likely. (T5 begins each window with a token that stays and ends
    it with a span; here a span may be anywhere.)

    Raises:
        ValueError: rng is not a numpy Generator, or so many spans do not fit.

    >>> draw_spans(9, 4, 2, np.random.default_rng(0))
    [(3, 6), (8, 9)]
    """
    generator(rng)
    _fit(n, taken, count)
    cuts = np.sort(rng.choice(taken - 1, count - 1, replace=False)) + 1
    before = np.sort(rng.choice(n - taken + 1, count, replace=False))
    return _spans(taken, tuple(cuts.tolist()), tuple(before.tolist()))


def all_spans(n: int, taken: int, count: int) -> list[list[Span]]:
    """Return every choice that `draw_spans` may make, each once.

    Raises:
        ValueError: so many spans do not fit.

    >>> all_spans(3, 1, 1)
    [[(0, 1)], [(1, 2)], [(2, 3)]]
    """
    _fit(n, taken, count)
    return [
        _spans(taken, cuts, before)
        for cuts in combinations(range(1, taken), count - 1)
        for before in combinations(range(n - taken + 1), count)
    ]


def corrupt_spans(
    tokens: Sequence[str], spans: Sequence[Span], sentinels: Sequence[str]
) -> Corrupted:
    """Replace each span by a sentinel; the target is each sentinel followed by its tokens.

    One more sentinel ends the target.

    Args:
        tokens: the tokens of a text.
        spans: the spans in order, none adjacent to the next.
        sentinels: at least one more sentinel than spans.

    Raises:
        ValueError: too few sentinels are given.

    Source: Raffel et al. (2020), section 3.1.4 and figure 2.

    >>> words = "Thank you for inviting me to your party last week".split()
    >>> found = corrupt_spans(words, [(2, 4), (8, 9)], ["<X>", "<Y>", "<Z>"])
    >>> " ".join(found.source), " ".join(found.target)
    ('Thank you <X> me to your party <Y> week', '<X> for inviting <Y> last <Z>')
    """
    if len(sentinels) <= len(spans):
        raise ValueError(f"sentinels must be more than the {len(spans)} spans, got {sentinels!r}")
    source: list[str] = []
    target: list[str] = []
    end = 0
    for sentinel, (start, stop) in zip(sentinels, spans, strict=False):
        source += [*tokens[end:start], sentinel]
        target += [sentinel, *tokens[start:stop]]
        end = stop
    return Corrupted((*source, *tokens[end:]), (*target, sentinels[len(spans)]))


def _spans(taken: int, cuts: Sequence[int], before: Sequence[int]) -> list[Span]:
    """Return spans from where the taken tokens are cut and how many stay before each span."""
    edges = (0, *cuts, taken)
    starts = [stay + edge for stay, edge in zip(before, edges, strict=False)]
    sizes = [b - a for a, b in pairwise(edges)]
    return [(start, start + size) for start, size in zip(starts, sizes, strict=True)]


def _fit(n: int, taken: int, count: int) -> None:
    checks.count(1, n=n, taken=taken, count=count)
    if count > taken or count > n - taken + 1:
        raise ValueError(f"count must let the spans fit, got {count} of {taken} in {n} tokens")
