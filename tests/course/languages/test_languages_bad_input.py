"""What the languages do with arguments that are wrong: each public method has a row."""

import inspect
from typing import Any

import numpy as np
import pytest

from course import languages
from course.languages import AgreementLanguage, FactLanguage, Grammar, TranslationLanguage

pytestmark = pytest.mark.usefixtures("unhooked")

GRAMMAR = Grammar({"S": [(0.5, ("the", "cat", "S")), (0.5, ())]}, start="S")
AGREEMENT, TRANSLATION = AgreementLanguage(), TranslationLanguage()
RNG = np.random.default_rng(0)
OBJECTS = {"Grammar": GRAMMAR, "AgreementLanguage": AGREEMENT, "TranslationLanguage": TRANSLATION}
OBJECTS |= {"FactLanguage": FactLanguage(names=2, days=2)}

# Where, the wrong argument, and what the message must say.
WORDS = [
    ("the cat", "one string 'the cat'"),
    (["the", 3], r"all be strings, got \[3\]"),
    (3, "got 3"),
]
RANDOM = [(3, "must be a numpy.random.Generator"), (np.random, "got module")]
VERB = [*WORDS[:2], (["the", "cat"], "must contain one of"), ([], "must contain one of")]
PAIR = [(("I", "love", "cats"), "pair must be a Pair, as sample returns, got tuple")]
METHODS: dict[str, list[tuple[Any, str]]] = {
    "Grammar.choose": [("T", r"nonterminal must be one of \['S'\], got 'T'")],
    "Grammar.sample": RANDOM,
    "Grammar.log_probability": WORDS,
    "Grammar.next_probabilities": [*WORDS, (["cat"], r"prefix must begin .* got \['cat'\]")],
    "Grammar.derivation": WORDS,
    "AgreementLanguage.sample": RANDOM,
    "AgreementLanguage.at_distance": RANDOM,
    "AgreementLanguage.log_probability": WORDS,
    "AgreementLanguage.next_probabilities": [*WORDS, (["cat"], "prefix must begin a sentence")],
    "AgreementLanguage.verb": VERB,
    "AgreementLanguage.distance": VERB,
    "AgreementLanguage.number": VERB,
    "FactLanguage.sample": RANDOM,
    "TranslationLanguage.sample": RANDOM,
    "TranslationLanguage.translate": [*WORDS, (["cat"], r"source must be a sentence .* \['cat'\]")],
    "TranslationLanguage.log_probability": WORDS,
    "TranslationLanguage.combinations": PAIR,
    "TranslationLanguage.held_out": PAIR,
}
NO_ARGUMENTS = {"entropy", "expected_length", "entropy_per_token", "sentences"}
NAMES = {"rng", "words", "prefix", "source", "pair", "nonterminal"}


@pytest.mark.parametrize("name", METHODS)
def test_methods_refuse_by_name(name: str) -> None:
    of, method = name.split(".")
    bound = getattr(OBJECTS[of], method)
    first, *rest = inspect.signature(bound).parameters
    others = {"rng": RNG, "phrases": 2}
    for wrong, says in METHODS[name]:
        with pytest.raises(ValueError, match=says) as caught:
            bound(wrong, **{key: others[key] for key in rest})
        assert first in NAMES and str(caught.value).startswith(first), caught.value


def test_every_public_method_has_a_row() -> None:
    found = {
        f"{name}.{method}"
        for name in OBJECTS
        for method, _ in inspect.getmembers(getattr(languages, name), inspect.isfunction)
        if not method.startswith("_") and method not in NO_ARGUMENTS
    }
    assert found == set(METHODS)


RULES: list[tuple[Any, str]] = [
    ([(1.0, ("a",))], "rules must map each nonterminal"),
    ({"S": []}, "those of S sum to 0"),
    ({"S": [(1.0, ("T",))], "T": []}, "those of T sum to 0"),
    ({"S": [(0.5, ("a",)), (0.499, ())]}, "must have probabilities that sum to 1, those of S"),
    ({"S": [(1.5, ("a",)), (-0.5, ())]}, "above 0 and at most 1, S has 1.5"),
    ({"S": [(1.0, ("a",)), (0.0, ())]}, "above 0 and at most 1, S has 0.0"),
    ({"S": [(float("nan"), ("a",))]}, "above 0 and at most 1, S has nan"),
    ({"S": [("1", ("a",))]}, "above 0 and at most 1, S has '1'"),
    ({"S": [(1.0, "ab")]}, "rules must contain tuples of strings, but S has 'ab'"),
    ({"S": [(1.0, (3,))]}, r"rules must contain tuples of strings, but S has \(3,\)"),
    ({"S": [(1.0, 3)]}, "rules must contain tuples of strings, but S has 3"),
    ({"S": [(1.0,)]}, r"pairs \(probability, symbols\), S has \(1.0,\)"),
    ({"S": [1.0]}, r"pairs \(probability, symbols\), S has 1.0"),
    ({"S": 1.0}, "rules must map each nonterminal to a list of rules, S has 1.0"),
    ({"S": [(1.0, ("</s>",))]}, r"must not hold special tokens, S has \['</s>'\]"),
    ({"S": [(0.5, ("S", "a")), (0.5, ())]}, "left-recursive, but what S becomes"),
    ({"S": [(1.0, ("T", "a"))], "T": [(0.5, ("S",)), (0.5, ())]}, "left-recursive"),
    # T may be empty, and then S begins with S.
    ({"S": [(0.5, ("T", "S")), (0.5, ())], "T": [(0.5, ()), (0.5, ("a",))]}, "left-recursive"),
    ({"S": [(1.0, ("a", "S"))]}, r"finite expected length, those of \['S'\]"),
    ({"S": [(0.5, ("a", "S", "S")), (0.5, ())]}, "finite expected length"),
    ({"S": [(0.6, ("a", "S", "S")), (0.4, ())]}, "finite expected length"),
]


@pytest.mark.parametrize("rules,says", RULES, ids=lambda x: str(x)[:40])
def test_rules_are_checked(rules: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Grammar(rules, start="S")


@pytest.mark.parametrize("start", ["T", "", None, 3, ["S"]])
def test_start_is_a_nonterminal(start: Any) -> None:
    with pytest.raises(ValueError, match=r"start must be one of the nonterminals \['S'\]"):
        Grammar({"S": [(1.0, ("a",))]}, start=start)


@pytest.mark.parametrize("more", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_more_is_a_probability(more: Any) -> None:
    with pytest.raises(ValueError, match="more must be a probability, from 0 to 1"):
        AgreementLanguage(more=more)


@pytest.mark.parametrize("wrong", [-1, 1.5, "2", None, True])
def test_counts_of_phrases_are_integers(wrong: Any) -> None:
    with pytest.raises(ValueError, match="most must be an integer of 0 or more"):
        AgreementLanguage(most=wrong)
    with pytest.raises(ValueError, match="phrases must be an integer of 0 or more"):
        AGREEMENT.at_distance(RNG, wrong)
