"""A synchronous grammar: rules that make a sentence and its translation in one go."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_lib.formulas.decoding.draw import generator
from transformer_lib.languages.grammar import Grammar


class Pair(NamedTuple):
    """A sentence, its translation, and which word came from which.

    Each entry of `alignment` is (target index, source index); every target word has one or more.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]


class PairRule(NamedTuple):
    """One way to replace a nonterminal in both languages.

    Args:
        probability: above 0; the rules of a nonterminal sum to 1.
        source: words and nonterminals, each nonterminal once.
        target: the same nonterminals in any order, and words, each with the indices in `source` of
            the words that it translates.
    """

    probability: float
    source: tuple[str, ...]
    target: tuple[tuple[str, tuple[int, ...]], ...]


def rule(probability: float, source: str, target: str) -> PairRule:
    """Read a rule from text: "VERB for OBJECT" and "OBJECT sucht:0,1" name words by index.

    >>> rule(1.0, "I SEEK", "SEEK ich:0").target
    (('SEEK', ()), ('ich', (0,)))
    """
    found = []
    for item in target.split():
        word, _, places = item.partition(":")
        found.append((word, tuple(int(place) for place in places.split(",") if place)))
    return PairRule(probability, tuple(source.split()), tuple(found))


class SynchronousGrammar:
    """Rules that replace a nonterminal in two languages at once, so that the words stay linked.

    Args:
        rules: for each nonterminal its rules.
        start: the nonterminal that becomes the sentence.

    Raises:
        ValueError: the source sides are no right `Grammar`.

    Source: Chiang (2007), "Hierarchical phrase-based translation", section 2.
    """

    def __init__(self, rules: Mapping[str, Sequence[PairRule]], *, start: str) -> None:
        self.rules, self.start = rules, start
        self.source = Grammar(
            {name: [(r.probability, r.source) for r in found] for name, found in rules.items()},
            start=start,
        )
        words = [word for found in rules.values() for r in found for word, _ in r.target]
        self.target_words = tuple(dict.fromkeys(word for word in words if word not in rules))

    def sample(self, rng: np.random.Generator) -> Pair:
        """Draw a sentence with its translation."""
        generator(rng)
        return self._build(self.start, lambda symbol: self.source.choose(symbol, rng))

    def translate(self, source: Sequence[str]) -> Pair:
        """Return a sentence with its one translation; ValueError where it is not in the language."""
        choices = iter(self.source.derivation(source))
        return self._build(self.start, lambda symbol: next(choices))

    def _build(self, symbol: str, choose: Callable[[str], int]) -> Pair:
        """Replace a nonterminal, in the source from left to right, then put down the target."""
        chosen = self.rules[symbol][choose(symbol)]
        parts, starts, source = {}, [], []
        for item in chosen.source:
            starts.append(len(source))
            if item in self.rules:
                parts[item] = self._build(item, choose), len(source)
                source += parts[item][0].source
            else:
                source.append(item)
        target, links = [], []
        for item, places in chosen.target:
            if item in parts:
                part, start = parts[item]
                links += [(len(target) + t, start + s) for t, s in part.alignment]
                target += part.target
            else:
                links += [(len(target), starts[place]) for place in places]
                target.append(item)
        return Pair(tuple(source), tuple(target), tuple(links))
