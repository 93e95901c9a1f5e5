"""A weighted context-free grammar: a language whose every probability is known."""

import bisect
import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from course.languages import rules as checking
from course.languages.parser import Parser
from transformer_lib.decoding.draw import generator
from transformer_lib.model.vocabulary import END, strings


class Grammar:
    """Sentences made by replacing symbols until only words are left, each choice at random.

    The grammar must be unambiguous for `entropy` to be that of its sentences: each sentence is made
    in one way only. Probabilities are right in any case.

    Args:
        rules: for each nonterminal its rules, pairs of a probability (above 0, summing to 1) and
            the symbols that replace it. A symbol that is not a key is a word.
        start: the nonterminal that becomes the sentence.

    Raises:
        ValueError: probabilities do not sum to 1, a nonterminal has no rules or can begin with
            itself, or the expected length is infinite.

    Source: Booth and Thompson (1973), "Applying probability measures to abstract languages".

    >>> grammar = Grammar({"S": [(0.5, ("the", "cat", "S")), (0.5, ())]}, start="S")
    >>> grammar.words, grammar.expected_length()
    (('the', 'cat'), 2.0)
    >>> round(math.exp(grammar.log_probability(["the", "cat", "the", "cat"])), 6)
    0.125
    """

    def __init__(
        self, rules: Mapping[str, Sequence[tuple[float, Sequence[str]]]], *, start: str
    ) -> None:
        self.rules = checking.checked(rules, start)
        self.start = start
        symbols = [s for found in self.rules.values() for rule in found for s in rule.symbols]
        self.words = tuple(dict.fromkeys(s for s in symbols if s not in self.rules))
        self._parser = Parser(self.rules, start)
        self._cumulative = {
            name: list(itertools.accumulate(rule.probability for rule in found))
            for name, found in self.rules.items()
        }

    def __repr__(self) -> str:
        return f"Grammar of {len(self.rules)} nonterminals and {len(self.words)} words"

    def choose(self, nonterminal: str, rng: np.random.Generator) -> int:
        """Draw which of its rules replaces a nonterminal; one number of `rng` is spent.

        Raises:
            ValueError: nonterminal is none of this grammar.
        """
        if nonterminal not in self.rules:
            raise ValueError(f"nonterminal must be one of {list(self.rules)}, got {nonterminal!r}")
        cumulative = self._cumulative[nonterminal]
        return bisect.bisect_right(cumulative, rng.random() * cumulative[-1])

    def sample(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Draw a sentence.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        generator(rng)
        words, stack = [], [self.start]
        while stack:
            symbol = stack.pop()
            if symbol in self.rules:
                stack += reversed(self.rules[symbol][self.choose(symbol, rng)].symbols)
            else:
                words.append(symbol)
        return tuple(words)

    def log_probability(self, words: Sequence[str]) -> float:
        """Return the natural logarithm of a sentence's probability; -inf if there is none.

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        log_p, branches = self._parser.read(strings(words=words))
        return log_p + math.log(branches[()].weight) if () in branches else -math.inf

    def next_probabilities(self, prefix: Sequence[str]) -> dict[str, float]:
        """Return the probability of every word after a prefix, and of </s>, the end.

        Raises:
            ValueError: prefix is a string or begins no sentence.
        """
        _, branches = self._parser.read(strings(prefix=prefix))
        if not branches:
            raise ValueError(f"prefix must begin a sentence of the language, got {list(prefix)}")
        found = dict.fromkeys((*self.words, END), 0.0)
        for stack, branch in branches.items():
            found[stack[0] if stack else END] += branch.weight
        return found

    def sentences(self, symbol: str | None = None) -> dict[tuple[str, ...], float]:
        """Return every sentence with its probability, of a grammar that makes finitely many.

        Args:
            symbol: what to begin with; the start of the grammar unless given.

        Raises:
            RecursionError: a nonterminal can become itself, so there is no last sentence.

        >>> rules = {"S": [(0.5, ("a", "T")), (0.5, ())], "T": [(1.0, ("b",))]}
        >>> Grammar(rules, start="S").sentences()
        {('a', 'b'): 0.5, (): 0.5}
        """
        symbol = self.start if symbol is None else symbol
        if symbol not in self.rules:
            return {(symbol,): 1.0}
        found: dict[tuple[str, ...], float] = {}
        for rule in self.rules[symbol]:
            so_far: dict[tuple[str, ...], float] = {(): rule.probability}
            for part in rule.symbols:
                ways = self.sentences(part)
                so_far = {a + b: p * q for a, p in so_far.items() for b, q in ways.items()}
            for words, p in so_far.items():
                found[words] = found.get(words, 0.0) + p
        return found

    def derivation(self, words: Sequence[str]) -> tuple[int, ...] | None:
        """Return which rule replaces each nonterminal of a sentence, the leftmost first.

        The result is None where words are no sentence of the language.

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        _, branches = self._parser.read(strings(words=words))
        return branches[()].choices() if () in branches else None

    def entropy(self) -> float:
        """Return the entropy of a sentence in nats: the mean of -log p, exactly.

        The entropy of a symbol is that of its choice plus that of the symbols it becomes, which is
        a linear system.

        Source: Grenander (1967), "Syntax-controlled probabilities".
        """
        choice = {
            name: -math.fsum(rule.probability * math.log(rule.probability) for rule in found)
            for name, found in self.rules.items()
        }
        return checking.solve(self.rules, choice)[self.start]

    def expected_length(self) -> float:
        """Return the mean number of words of a sentence, exactly."""
        words = {
            name: math.fsum(p * sum(s not in self.rules for s in symbols) for p, symbols in found)
            for name, found in self.rules.items()
        }
        return checking.solve(self.rules, words)[self.start]

    def entropy_per_token(self) -> float:
        """Return the entropy in nats per token, </s> counted: the least loss of any model.

        It is the entropy of a sentence over the mean number of its tokens, as a loss is a sum over
        tokens divided by their count.

        Source: Shannon (1948), "A mathematical theory of communication", section 7.
        """
        return self.entropy() / (self.expected_length() + 1)
