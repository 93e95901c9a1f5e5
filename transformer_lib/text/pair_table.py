"""A table, kept up to date, of how often each pair of adjacent tokens occurs and in which words."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from transformer_lib.text.bpe import merge_pair

Pair = tuple[int, int]


class PairTable:
    """The pairs of tokens in words, each counted as often as its word occurs in the text.

    A merge processes only the words that contain the pair; the others are not counted again.

    Args:
        words: the ids of each word's tokens.
        frequencies: how often each word occurs in the text.

    Source: the published code of Sennrich, Haddow, Birch (2016).

    >>> table = PairTable([[0, 1, 0, 1], [1, 0]], [10, 1])
    >>> dict(table.counts)
    {(0, 1): 20, (1, 0): 11}
    >>> sorted(table.merge((0, 1), 2)), dict(table.counts)
    ([(2, 2)], {(1, 0): 1, (2, 2): 10})
    """

    def __init__(self, words: Sequence[Sequence[int]], frequencies: Sequence[int]) -> None:
        self.words, self.frequencies = [list(word) for word in words], frequencies
        self.counts: defaultdict[Pair, int] = defaultdict(int)
        self.where: defaultdict[Pair, set[int]] = defaultdict(set)
        for place, word in enumerate(self.words):
            for pair in pairwise(word):
                self.counts[pair] += frequencies[place]
                self.where[pair].add(place)

    def merge(self, pair: Pair, merged: int) -> set[Pair]:
        """Replace a pair by `merged`, and return the pairs that are now more frequent."""
        more: set[Pair] = set()
        for place in self.where.pop(pair):
            old, frequency = self.words[place], self.frequencies[place]
            new = self.words[place] = merge_pair(old, pair, merged)
            for gone in pairwise(old):
                self.counts[gone] -= frequency
            for come in pairwise(new):
                self.counts[come] += frequency
                if merged in come:
                    self.where[come].add(place)
                    more.add(come)
        self.counts.pop(pair, None)
        return more
