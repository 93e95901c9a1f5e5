"""Noun phrases in both languages: article, adjective and noun agree in gender, number and case."""

from collections.abc import Callable, Sequence

from course.languages import lexicon
from course.languages.lexicon import Noun
from course.languages.synchronous import PairRule, rule

# How often a noun has an adjective before it.
WITH_ADJECTIVE = 0.3

Words = list[tuple[str, str]]  # English and German, word by word


def singular(
    nouns: Sequence[Noun], case: str, *, definite: float, indefinite: float
) -> list[PairRule]:
    """Return the rules for "the cat" and "a cat", which sum to `definite` and `indefinite`."""
    return [
        *_each(nouns, definite, lambda noun, adjective: _the(noun, case, adjective)),
        *_each(nouns, indefinite, lambda noun, adjective: _a(noun, case, adjective)),
    ]


def plural(nouns: Sequence[Noun], *, definite: float, bare: float) -> list[PairRule]:
    """Return the rules for "the cats" and "cats"; no noun here changes with the case."""
    return [*_each(nouns, definite, _the_plural), *_each(nouns, bare, _bare_plural)]


def _each(
    nouns: Sequence[Noun], total: float, phrase: Callable[[Noun, str], Words]
) -> list[PairRule]:
    """Return a rule for each noun, alone and with each adjective."""
    often = {"": 1 - WITH_ADJECTIVE}
    often |= dict.fromkeys(lexicon.ADJECTIVES, WITH_ADJECTIVE / len(lexicon.ADJECTIVES))
    found = []
    for noun in nouns:
        for adjective, share in often.items():
            words = phrase(noun, adjective)
            english = " ".join(en for en, _ in words)
            german = " ".join(f"{de}:{i}" for i, (_, de) in enumerate(words))
            found.append(rule(total / len(nouns) * share, english, german))
    return found


def _the(noun: Noun, case: str, adjective: str) -> Words:
    article, ending = lexicon.DEFINITE[case][noun.gender], lexicon.WEAK[case][noun.gender]
    return [("the", article), *_adjective(adjective, ending), _singular(noun, case)]


def _a(noun: Noun, case: str, adjective: str) -> Words:
    article, ending = lexicon.INDEFINITE[case][noun.gender], lexicon.MIXED[case][noun.gender]
    a = "an" if (adjective or noun.singular)[0] in "aeiou" else "a"
    return [(a, article), *_adjective(adjective, ending), _singular(noun, case)]


def _the_plural(noun: Noun, adjective: str) -> Words:
    found = _adjective(adjective, lexicon.PLURAL_AFTER_THE)
    return [("the", "die"), *found, (noun.plural, noun.german_plural)]


def _bare_plural(noun: Noun, adjective: str) -> Words:
    return [*_adjective(adjective, lexicon.PLURAL_BARE), (noun.plural, noun.german_plural)]


def _adjective(adjective: str, ending: str) -> Words:
    return [(adjective, lexicon.ADJECTIVES[adjective] + ending)] if adjective else []


def _singular(noun: Noun, case: str) -> tuple[str, str]:
    german = noun.nominative if case == "nominative" else noun.accusative
    return noun.singular, german
