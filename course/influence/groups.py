"""Groups of training sentences: those with a word, a symbol and its feature, or a rule."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from course.languages import bounds
from course.languages.notation import MARK
from course.languages.own import OwnLanguage
from course.train_view import Words

FEWEST, MOST_OF, MOST = 4, 2 / 3, 30
"""Sentences of a group at least, share of the text at most, and groups of a text at most."""
Mask = npt.NDArray[np.bool_]


def groups(language: OwnLanguage, sentences: Sequence[Words]) -> dict[str, Mask]:
    """Return for each group which sentences belong to it, (sentences,), by its name.

    Features and rules come first, then words, the most frequent ones first; of more than 30 groups
    the last ones are left out. Groups with the same sentences are one, with both names.

    Args:
        language: whose rules make the sentences.
        sentences: the training text.

    Raises:
        ValueError: a sentence is none of the language.

    >>> rules = "n = sg pl | S -> the N[n] V[n]! | N[sg] -> cat | N[pl] -> cats"
    >>> rules += " | V[sg] -> sleeps | V[pl] -> sleep"
    >>> language = OwnLanguage(rules.replace(" | ", chr(10)))
    >>> found = groups(language, [["the", "cat", "sleeps"]] * 4 + [["the", "cats", "sleep"]] * 6)
    >>> {name: int(mask.sum()) for name, mask in found.items()}
    {'N[sg], V[sg], cat, sleeps': 4, 'N[pl], V[pl], cats, sleep': 6}
    """
    has: dict[str, set[int]] = {}
    for i, words in enumerate(sentences):
        for name in dict.fromkeys(_built(language, words)):
            has.setdefault(name, set()).add(i)
    spoken = sorted(language.words, key=lambda word: -sum(word in each for each in sentences))
    has |= {word: {i for i, words in enumerate(sentences) if word in words} for word in spoken}
    same: dict[frozenset[int], list[str]] = {}
    for name, each in has.items():
        same.setdefault(frozenset(each), []).append(name)
    fits = [each for each in same if FEWEST <= len(each) <= MOST_OF * len(sentences)]
    rows = np.arange(len(sentences))
    return {", ".join(same[each]): np.isin(rows, list(each)) for each in fits[:MOST]}


def _built(language: OwnLanguage, words: Words) -> list[str]:
    """Return the symbols with features and the rules of other symbols that make a sentence."""
    if language.log_probability(words) == -np.inf:
        raise ValueError(f"The rules do not make {' '.join(words)!r}.")
    found = []
    for name, choice, _ in bounds.steps(language, words):
        symbols = language.rules[name][choice].symbols
        if "[" in name:
            found.append(name.removesuffix(MARK))
        if any(symbol in language.rules for symbol in symbols):
            bare = [symbol.partition("[")[0].removesuffix(MARK) for symbol in (name, *symbols)]
            found.append(f"{bare[0]} → {' '.join(bare[1:])}")
    return found
