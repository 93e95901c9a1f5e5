"""Every sentence of a finite grammar, found without the parser."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Words = tuple[str, ...]


def derivations(rules: Mapping[str, Sequence[Any]], symbol: str) -> Iterator[tuple[Words, float]]:
    if symbol not in rules:
        yield (symbol,), 1.0
        return
    for probability, symbols in rules[symbol]:
        for parts in itertools.product(*(list(derivations(rules, s)) for s in symbols)):
            words = tuple(itertools.chain.from_iterable(part for part, _ in parts))
            yield words, probability * math.prod(p for _, p in parts)


def probabilities(rules: Mapping[str, Sequence[Any]], start: str) -> dict[Words, float]:
    """Sum over the derivations of each sentence."""
    found: Counter[Words] = Counter()
    for words, p in derivations(rules, start):
        found[words] += p  # type: ignore[assignment]
    return dict(found)


def entropy(found: Mapping[Words, float]) -> float:
    return -math.fsum(p * math.log(p) for p in found.values())


def mean_length(found: Mapping[Words, float]) -> float:
    return math.fsum(p * len(words) for words, p in found.items())
