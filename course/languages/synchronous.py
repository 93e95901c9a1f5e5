"""A synchronous grammar: rules that make a sentence and its translation in one go."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course.languages.grammar import Grammar
from transformer_lib.decoding.draw import generator
from transformer_lib.model.vocabulary import strings


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
        """Draw a sentence with its translation.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        generator(rng)
        return self._build(self.start, lambda symbol: self.source.choose(symbol, rng))

    def translate(self, source: Sequence[str]) -> Pair:
        """Return a sentence with its one translation.

        Raises:
            ValueError: source is a string or no sentence of the language.
        """
        derivation = self.source.derivation(strings(source=source))
        if derivation is None:
            raise ValueError(f"source must be a sentence of the language, got {list(source)}")
        choices = iter(derivation)
        return self._build(self.start, lambda symbol: next(choices))

    def _build(self, symbol: str, choose: Callable[[str], int]) -> Pair:
        """Replace a nonterminal, in the source from left to right, then put down the target."""
        chosen = self.rules[symbol][choose(symbol)]
        parts = [
            self._build(item, choose) if item in self.rules else Pair((item,), (), ())
            for item in chosen.source
        ]
        starts = [0, *itertools.accumulate(len(part.source) for part in parts)]
        target: list[str] = []
        links: list[tuple[int, int]] = []
        for item, places in chosen.target:
            if item in self.rules:
                i = chosen.source.index(item)
                links += [(len(target) + t, starts[i] + s) for t, s in parts[i].alignment]
                target += parts[i].target
            else:
                links += [(len(target), starts[place]) for place in places]
                target.append(item)
        source = tuple(itertools.chain.from_iterable(part.source for part in parts))
        return Pair(source, tuple(target), tuple(links))
