"""Every way in which a text can be corrupted, with its probability, for the exact least loss."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from transformer_lib.pretraining.noise import sentences_of
from transformer_lib.pretraining.spans import all_spans, corrupt_spans, span_count

Words = tuple[str, ...]


class Outcome(NamedTuple):
    """A source and a target that a text may become, and their probability."""

    source: Words
    target: Words
    probability: float


def span_outcomes(
    words: Words, sentinels: Sequence[str], *, share: float = 0.15, mean: float = 3.0
) -> Iterator[Outcome]:
    """Yield every outcome of `corrupt_spans` with spans as `draw_spans` samples them.

    >>> for source, target, p in span_outcomes(("a", "b"), ["<0>", "<1>"]):
    ...     print(" ".join(source), "|", " ".join(target), "|", p)
    <0> b | <0> a <1> | 0.5
    a <0> | <0> b <1> | 0.5
    """
    ways = all_spans(len(words), *span_count(len(words), share, mean))
    for spans in ways:
        yield Outcome(*corrupt_spans(words, spans, sentinels), 1 / len(ways))


def noise_outcomes(
    name: str, words: Words, *, mask: str, share: float = 0.15, mean: float = 3.0, stop: str = "."
) -> Iterator[Outcome]:
    """Yield every outcome of the function of this name in `noises`; the target is the text itself.

    Raises:
        ValueError: the name is not in `noises`.

    >>> [(" ".join(o.source), o.probability) for o in noise_outcomes(
    ...     "document rotation", ("a", "b"), mask="_")]
    [('a b', 0.5), ('b a', 0.5)]
    """
    n = len(words)
    if name in ("token masking", "token deletion"):
        sources = _chosen(words, max(1, round(share * n)), mask if name == "token masking" else "")
    elif name == "text infilling":
        yield from _infilled(words, mask, mean)
        return
    elif name == "sentence permutation":
        sources = [sum(order, ()) for order in permutations(sentences_of(words, stop))]
    elif name == "document rotation":
        sources = [words[start:] + words[:start] for start in range(n)]
    else:
        raise ValueError(f"name must be that of one of the five noises, got {name!r}")
    for source in sources:
        yield Outcome(source, words, 1 / len(sources))


def _chosen(words: Words, count: int, instead: str) -> list[Words]:
    found = []
    for chosen in combinations(range(len(words)), count):
        kept = list(words)
        for i in chosen:
            kept[i] = instead
        found.append(tuple(word for word in kept if word))
    return found


def _infilled(words: Words, mask: str, mean: float) -> Iterator[Outcome]:
    n, left = len(words), 1.0
    for length in range(n + 1):
        # Whatever would be longer is cut to the whole text.
        often = math.exp(-mean) * mean**length / math.factorial(length) if length < n else left
        left -= often
        for start in range(n - length + 1):
            source = (*words[:start], mask, *words[start + length :])
            yield Outcome(source, words, often / (n - length + 1))
