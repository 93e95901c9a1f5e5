"""A derivation of typed rules and its twin, which differs in one feature before the mark."""

from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from course.languages.notation import MARK
from course.languages.own import OwnLanguage
from course.languages.rules import Rules

Pair = tuple[str, str]
"""A symbol of a derivation, and that of its twin; "" where one of them has none."""

Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""The symbols that a rule makes in a derivation, and in its twin."""


class Step(NamedTuple):
    """A nonterminal of a derivation, the number of its rule, and its step and place above it."""

    name: str
    number: int
    parent: int
    place: int


def drawn(language: OwnLanguage, rng: np.random.Generator) -> list[Step]:
    """Draw a derivation, the leftmost step first, up to its last marked symbol.

    Raises:
        ValueError: none of its symbols is marked.
    """
    steps, stack = list[Step](), [(language.start, -1, 0)]
    while stack:
        name, parent, place = stack.pop()
        if name in language.rules:
            steps.append(Step(name, language.choose(name, rng), parent, place))
            symbols = language.rules[name][steps[-1].number].symbols
            stack += [(s, len(steps) - 1, i) for i, s in enumerate(symbols)][::-1]
    marks = [i for i, step in enumerate(steps) if step.name.endswith(MARK)]
    if not marks:
        raise ValueError(
            "each sentence must have a symbol with a mark where a word is tested, such as V[n]!"
        )
    return steps[: marks[-1] + 1]


def turn(rules: Rules, steps: list[Step]) -> tuple[int, list[int]]:
    """Return the last step that gives the mark its feature, and its rules with another value.

    Raises:
        ValueError: no step has such a rule.
    """
    step = steps[-1]
    while step.parent >= 0:
        if others := _others(rules, steps[step.parent], step.place):
            return step.parent, others
        step = steps[step.parent]
    raise ValueError(
        f"a rule must give {steps[-1].name} another value and change nothing else, as the letter n "
        "does in S -> the N[n] V[n]!, but there is no such rule"
    )


def _others(rules: Rules, step: Step, place: int) -> list[int]:
    """Return the rules that differ in one value, also at this place, in the fewest symbols."""
    symbols, found = rules[step.name][step.number].symbols, dict[int, frozenset[int]]()
    for number, rule in enumerate(rules[step.name]):
        pairs = list(zip_longest(symbols, rule.symbols, fillvalue=""))
        differ = frozenset(i for i, (one, other) in enumerate(pairs) if one != other)
        if place in differ and len(changes(pairs)) == 1:
            found[number] = differ
    return [i for i, differ in found.items() if not any(x < differ for x in found.values())]


def changes(pairs: list[Pair]) -> set[Pair]:
    """Return the values in which pairs of symbols differ.

    Symbols that differ otherwise are in it twice, so that they are never one change.

    >>> changes([("the", "the"), ("N[sg,f]", "N[pl,f]"), ("V[sg]!", "V[pl]!")])
    {('sg', 'pl')}
    """
    found = set[Pair]()
    for one, other in pairs:
        (base, values), (other_base, other_values) = _parts(one), _parts(other)
        if base != other_base or len(values) != len(other_values):
            found |= {(one, other), (other, one)}
        found |= {(x, y) for x, y in zip(values, other_values, strict=False) if x != y}
    return found


def _parts(symbol: str) -> tuple[str, list[str]]:
    """Return the name of a symbol, with its mark, and the values of its features."""
    base, bracket, rest = symbol.partition("[")
    inside, _, mark = rest.partition("]")
    return base + mark, inside.split(",") if bracket else []


class Walk:
    """The words of a derivation and of its twin up to the mark, and what they have in common.

    The one whose mark comes first in the rules is the first, whichever of the two was drawn.

    Raises:
        ValueError: a symbol and that of the twin have alternatives that do not belong together.
    """

    def __init__(self, rules: Rules, steps: list[Step], at: int, other: int) -> None:
        """Follow both derivations; the twin takes the rule `other` at the step `at`."""
        self.rules, self.construction = rules, list[str]()
        self.words: tuple[list[str], list[str]] = ([], [])
        self.rank, self.item = (0, False), "none"
        turned = (rules[steps[at].name][i].symbols for i in (steps[at].number, other))
        self.change = changes(list(zip(*turned, strict=True)))
        self.stack = [(steps[0].name, steps[0].name)]
        for i, step in enumerate(steps[:-1]):
            self._expand(step.number, other if i == at else step.number)
        self.marks = self._next()
        if [*rules].index(self.marks[0]) > [*rules].index(self.marks[1]):
            self.words, self.marks = (self.words[1], self.words[0]), (self.marks[1], self.marks[0])
        self.construction.append(_parts(self.marks[0])[0].removesuffix(MARK))

    def _next(self) -> tuple[str, str]:
        """Put down words up to the next nonterminals, and take these."""
        one, two = self.stack.pop()
        while one not in self.rules:
            shown = one if one == two else "/".join(sorted({one or "–", two or "–"}))
            self._put(((one,) * bool(one), (two,) * bool(two)), shown)
            one, two = self.stack.pop()
        return one, two

    def _put(self, sides: Sides, shown: str) -> None:
        for words, more in zip(self.words, sides, strict=True):
            words += more
        self.construction.append(shown)

    def _expand(self, number: int, other: int) -> None:
        """Replace the next nonterminals by what their rules of these numbers make."""
        one, two = names = self._next()
        if (count := len(self.rules[one])) != len(self.rules[two]):
            raise ValueError(
                f"{one} and {two} must have equally many alternatives, of which those at the same "
                f"place belong together, but they have {count} and {len(self.rules[two])}"
            )
        sides = self.rules[one][number].symbols, self.rules[two][other].symbols
        if not all(map(self._is_lexical, names)):
            self.stack += self._aligned(names, number, sides)[::-1]
            return
        self._put(sides, _parts(one)[0])
        if (rank := (count, one != two)) > self.rank:
            self.rank, self.item = rank, self._forms(one, number)

    def _is_lexical(self, name: str) -> bool:
        """Whether a symbol becomes words only, and never nothing."""
        found = [rule.symbols for rule in self.rules[name]]
        return all(found) and self.rules.keys().isdisjoint(s for each in found for s in each)

    def _forms(self, name: str, number: int) -> str:
        """Return what a symbol becomes with any values of its features, such as cat/cats."""
        same = (rules for other, rules in self.rules.items() if _parts(other)[0] == _parts(name)[0])
        found = (" ".join(rules[number].symbols) for rules in same if number < len(rules))
        return "/".join(dict.fromkeys(found))

    def _aligned(self, names: Pair, number: int, sides: Sides) -> list[Pair]:
        """Return the symbols of both in pairs, with words between the nonterminals as they are."""
        one, two = ([s for s in side if s in self.rules] for side in sides)
        pairs = list(zip_longest(one, two, fillvalue=""))
        if not changes(pairs) <= self.change:
            made = " and ".join(" ".join(side) or "nothing" for side in sides)
            raise ValueError(
                f"alternative {number + 1} of {names[0]} and of {names[1]} must have the same "
                f"symbols apart from one feature, but they have {made}"
            )
        found = list[Pair]()
        for n, words in enumerate(zip(*map(self._between, sides), strict=True)):
            found += pairs[n - 1 : n]
            found += zip_longest(*words, fillvalue="")
        return found

    def _between(self, side: tuple[str, ...]) -> list[list[str]]:
        """Return the words before, between and after the nonterminals."""
        found: list[list[str]] = [[]]
        for symbol in side:
            if symbol in self.rules:
                found.append([])
            else:
                found[-1].append(symbol)
        return found
