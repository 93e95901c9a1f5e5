"""What a typed grammar must keep to, so that its numbers are exact and a small model fits it."""

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from course.languages.grammar import Grammar
from course.languages.parser import Parser
from course.languages.refusals import BOUNDS, says
from course.languages.rules import Rules, WrongRule, reached

MOST_WORDS, LONGEST, RARELY, TRIED = (
    BOUNDS[name] for name in ("words", "sentence", "rare", "tried")
)
"""Words of a vocabulary, words of a sentence, the probability of longer ones, sentences parsed."""
ONE_WORD = np.array([0.0, 1.0])


def check(grammar: Grammar) -> None:
    """Refuse a grammar that is too large, too long or ambiguous.

    Ambiguity is searched for in all sentences where there are at most 500 derivations, and else in
    the shorter ones of 500 samples, so a rare ambiguity may pass.

    Raises:
        WrongRule: the grammar is too large, too long or ambiguous.
    """
    rules, start = grammar.rules, grammar.start
    if not 0 < len(grammar.words) <= MOST_WORDS:
        raise WrongRule(says("size", count=len(grammar.words)), start)
    longer = 1 - math.fsum(lengths(rules)[start])
    if longer > RARELY:
        name = next((name for name in rules if name in reached(rules, name)), start)
        raise WrongRule(says("longer", share=f"{longer:.2g}"), name)
    few, rng = _derivations(rules)[start] <= TRIED, np.random.default_rng(0)
    found = grammar.sentences() if few else [grammar.sample(rng) for _ in range(TRIED)]
    # A parser may need a time that grows exponentially, so the longest tenth is left out.
    _check_ambiguity(grammar, found if few else sorted(found, key=len)[: TRIED * 9 // 10])


def lengths(rules: Rules) -> dict[str, NDArray[np.float64]]:
    """Return the probabilities of 0 to 40 words of each nonterminal.

    Each round adds derivations that are one step deeper, until they change nothing.
    """
    found, change = {name: np.zeros(LONGEST + 1) for name in rules}, 1.0
    while change > 1e-9:
        change = 0.0
        for name in reversed(rules):
            total = np.zeros(LONGEST + 1)
            for probability, symbols in rules[name]:
                row = np.array([probability])
                for symbol in symbols:
                    row = np.convolve(row, found.get(symbol, ONE_WORD))[: LONGEST + 1]
                total[: len(row)] += row
            change = max(change, abs(total - found[name]).max())
            found[name] = total
    return found


def steps(grammar: Grammar, words: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Give each nonterminal of a derivation, the number of its rule, and the words before it."""
    stack, place = [grammar.start], 0
    for choice in grammar.derivation(tuple(words)) or ():
        while stack[-1] not in grammar.rules:
            stack.pop()
            place += 1
        name = stack.pop()
        yield name, choice, place
        stack += reversed(grammar.rules[name][choice].symbols)


def _derivations(rules: Rules) -> dict[str, float]:
    """Return how many derivations each symbol has: infinitely many where it can become itself."""
    before: dict[str, float] = {}
    found = dict.fromkeys(rules, math.inf)
    while found != before:  # not by recursion: a chain of rules may be longer than Python's stack
        before = dict(found)
        for name in reversed(rules):
            counts = (math.prod(found.get(s, 1.0) for s in r.symbols) for r in rules[name])
            found[name] = sum(counts)
    return found


def _check_ambiguity(grammar: Grammar, sentences: Iterable[tuple[str, ...]]) -> None:
    """Compare the probability of sentences with that of one derivation of each."""
    rules = grammar.rules
    for words in sentences:
        found = list(steps(grammar, words))
        one = math.fsum(math.log(rules[name][i].probability) for name, i, _ in found)
        if grammar.log_probability(words) > one + 1e-6:
            name = next((n for n, i, _ in found if _without(grammar, n, i, words)), grammar.start)
            made = repr(" ".join(words))
            raise WrongRule(says("ambiguous", name=name, made=made), name)


def _without(grammar: Grammar, name: str, number: int, words: tuple[str, ...]) -> bool:
    """Return whether a sentence has a derivation that does not use this rule."""
    left = tuple(rule for i, rule in enumerate(grammar.rules[name]) if i != number)
    return () in Parser({**grammar.rules, name: left}, grammar.start).read(words)[1]
