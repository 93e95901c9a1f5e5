"""Pairs of beginnings from a reader's rules, which differ in one feature before the marked place.

The twin of a sentence takes the alternative of the same number in each rule: where the rules have
`N[sg] -> cat | dog` and `N[pl] -> cats | dogs`, the twin of *dog* is *dogs*.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np

from course.languages.own import OwnLanguage
from course.published.derivations import Walk, drawn, turn

DRAWN = 600
"""How many sentences are drawn in order to find different pairs."""


class Twins(NamedTuple):
    """Two beginnings that differ in one feature, and a word that fits after each of them only.

    The construction is the words up to the mark, with the name of each symbol that becomes only
    words. The item is the alternative of the symbol with the most of them: of several such symbols
    the first whose words differ, or else the first.
    """

    construction: str
    item: str
    beginnings: tuple[str, str]
    words: tuple[str, str]  # "" where all that fits after this beginning also fits after the other


def twins(language: OwnLanguage, each: int = 1) -> list[Twins]:
    """Return up to `each` pairs of every construction and item, in the order of the draws.

    Raises:
        ValueError: a sentence has no twin; the error says what the rules must have.
    """
    rng, found = np.random.default_rng(0), dict[str, Twins]()
    count = Counter[tuple[str, str]]()
    for _ in range(DRAWN):
        steps = drawn(language, rng)
        at, others = turn(language.rules, steps)
        walked = Walk(language.rules, steps, at, others[rng.integers(len(others))])
        kind = " ".join(walked.construction), walked.item
        one, two = (" ".join(side) for side in walked.words)
        if count[kind] < each and f"{one} | {two}" not in found:
            words = fitting(language, walked, rng)
            found[f"{one} | {two}"] = Twins(*kind, (one, two), words)
            count[kind] += 1
    return list(found.values())


def fitting(language: OwnLanguage, walked: Walk, rng: np.random.Generator) -> tuple[str, str]:
    """Return a word that fits at the mark after each beginning only, "" where there is none.

    Raises:
        ValueError: the beginnings are equal or one has no word, or the same words fit after both.
    """
    (one, two), marks = (" ".join(side) for side in walked.words), " and ".join(walked.marks)
    if one == two or not (one and two):
        raise ValueError(
            f"the words before {marks} must differ, so that they show which one fits, but they are "
            f"{one!r} and {two!r}; leave out what is the same in both"
        )
    chances = [language.next_probabilities(side) for side in walked.words]
    forms = language.forms[walked.marks[0]]
    fit = [[word for word in forms if each[word] > 0] for each in chances]
    own = [[word for word in fit[i] if word not in fit[1 - i]] for i in (0, 1)]
    if not any(own):
        raise ValueError(
            f"{marks} must have different words, but after {one!r} and {two!r} the same ones fit"
        )
    number = int(rng.integers(max(map(len, own))))
    first, second = (words[number % len(words)] if words else "" for words in own)
    return first, second
