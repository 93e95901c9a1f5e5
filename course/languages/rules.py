"""The rules of a weighted grammar: what they must be, and the sums that follow from them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from course.languages.refusals import says
from transformer_lib.model.vocabulary import SPECIAL_TOKENS

# Lessened by this share, probabilities that give no finite expected length give one above LONGEST,
# so that rounding does not decide whether the equations have a solution.
LONGEST, LESS = 1e9, 1e-12


class WrongRule(ValueError):
    """What is wrong with the rules of one symbol."""

    def __init__(self, message: str, symbol: str) -> None:
        super().__init__(message)
        self.symbol = symbol


class Rule(NamedTuple):
    """One way to replace a nonterminal: with which probability, and by what."""

    probability: float
    symbols: tuple[str, ...]


Rules = dict[str, tuple[Rule, ...]]


def checked(rules: Mapping[str, Sequence[tuple[float, Sequence[str]]]], start: str) -> Rules:
    """Return the rules as tuples, or raise ValueError saying which one does not fit."""
    if not isinstance(rules, Mapping):
        raise ValueError(f"rules must map each nonterminal to its rules, got {rules!r}")
    for name, given in rules.items():
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise ValueError(
                f"rules must map each nonterminal to a list of rules, {name} has {given!r}"
            )
    found = {name: tuple(_rule(name, each) for each in given) for name, given in rules.items()}
    if not isinstance(start, str) or start not in found:
        raise ValueError(f"start must be one of the nonterminals {list(found)}, got {start!r}")
    for name, alternatives in found.items():
        total = math.fsum(rule.probability for rule in alternatives)
        if abs(total - 1) > 1e-9:
            raise ValueError(
                f"rules must have probabilities that sum to 1, those of {name} sum to {total}"
            )
    _check_left_recursion(found)
    _check_length(found)
    return found


def solve(rules: Rules, each: Mapping[str, float]) -> dict[str, float]:
    """Return x with x[A] = each[A] + the expected sum of x over the nonterminals that A becomes.

    With `each` the expected number of words that the rules of A put down, x is the expected length;
    with the entropy of the choice among them, x is the entropy.
    """
    names = list(rules)
    expected = np.zeros((len(names), len(names)))
    for row, alternatives in zip(expected, rules.values(), strict=True):
        for probability, symbols in alternatives:
            for symbol in symbols:
                if symbol in rules:
                    row[names.index(symbol)] += probability
    right = np.array([each[name] for name in names])
    x = np.linalg.solve(np.eye(len(names)) - expected, right)
    return dict(zip(names, x.tolist(), strict=True))


def reached(rules: Rules, name: str) -> set[str]:
    """Return the symbols of what a nonterminal becomes, in one step or more."""
    found: set[str] = set()
    todo = [name]
    while todo:
        new = {s for rule in rules.get(todo.pop(), ()) for s in rule.symbols} - found
        found |= new
        todo += new
    return found


def _rule(name: str, given: Any) -> Rule:
    try:
        probability, symbols = given
    except (TypeError, ValueError):
        raise ValueError(
            f"rules must be pairs (probability, symbols), {name} has {given!r}"
        ) from None
    if not isinstance(symbols, list | tuple) or not all(isinstance(s, str) for s in symbols):
        raise ValueError(f"rules must contain tuples of strings, but {name} has {symbols!r}")
    if not isinstance(probability, int | float) or not 0 < probability <= 1:
        raise ValueError(says("chance", name=name, probability=repr(probability)))
    special = set(symbols) & set(SPECIAL_TOKENS)
    if special:
        raise WrongRule(says("special", name=name, tokens=sorted(special)), name)
    return Rule(float(probability), tuple(symbols))


def _check_left_recursion(rules: Rules) -> None:
    """A parser that reads from the left would replace such a symbol for ever."""
    empty: set[str] = set()
    for _ in rules:  # each round finds one more, or none are left to find
        empty |= {
            a for a, found in rules.items() if any(empty.issuperset(r.symbols) for r in found)
        }
    begins: Rules = {name: (_beginning(found, empty),) for name, found in rules.items()}
    for name in rules:
        if name in reached(begins, name):
            raise WrongRule(says("recursive", name=name), name)


def _beginning(alternatives: Sequence[Rule], empty: set[str]) -> Rule:
    """Return the symbols that can come first, as one rule."""
    found: list[str] = []
    for rule in alternatives:
        for symbol in rule.symbols:
            found.append(symbol)
            if symbol not in empty:
                break
    return Rule(1.0, tuple(found))


def _check_length(rules: Rules) -> None:
    rarer = {
        name: tuple(Rule(p * (1 - LESS), symbols) for p, symbols in found)
        for name, found in rules.items()
    }
    try:
        steps = solve(rarer, dict.fromkeys(rules, 1.0))
    except np.linalg.LinAlgError:
        steps = dict.fromkeys(rules, math.inf)
    endless = [n for n, x in steps.items() if not 0 < x < LONGEST and n in reached(rules, n)]
    if endless:
        raise WrongRule(says("endless", names=endless), endless[0])
