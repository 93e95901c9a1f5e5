import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from course.languages import Grammar
from tests.course.languages.sentences import entropy, mean_length, probabilities

# Of balanced brackets, n pairs can be written in Catalan(n) ways.
BRACKETS = Grammar({"S": [(0.3, ("(", "S", ")", "S")), (0.7, ())]}, start="S")


@st.composite
def finite(draw: Any, told_apart: bool) -> dict[str, list[tuple[float, tuple[str, ...]]]]:
    """Draw a grammar whose symbols become later ones only; told apart by first words, or not."""
    rules = {}
    for i in range(3):
        symbols = st.sampled_from(["a", "b", *[f"N{j}" for j in range(i + 1, 3)]])
        rights = draw(st.lists(st.lists(symbols, max_size=2), min_size=1, max_size=3))
        weights = draw(st.lists(st.integers(1, 9), min_size=len(rights), max_size=len(rights)))
        first = [(f"w{i}{k}",) if told_apart else () for k in range(len(rights))]
        rules[f"N{i}"] = [
            (w / sum(weights), (*f, *right))
            for w, f, right in zip(weights, first, rights, strict=True)
        ]
    return rules


@given(finite(told_apart=False))
def test_probability_is_the_sum_over_derivations_even_of_an_ambiguous_grammar(rules: Any) -> None:
    grammar, expected = Grammar(rules, start="N0"), probabilities(rules, "N0")
    for words, p in expected.items():
        assert math.exp(grammar.log_probability(words)) == pytest.approx(p, rel=1e-12)
    assert math.fsum(expected.values()) == pytest.approx(1, abs=1e-12)
    for words in itertools.product("ab", repeat=3):
        if words not in expected:
            assert grammar.log_probability(words) == -math.inf


@given(finite(told_apart=True))
def test_entropy_and_length_are_those_of_all_sentences(rules: Any) -> None:
    grammar, found = Grammar(rules, start="N0"), probabilities(rules, "N0")
    assert grammar.entropy() == pytest.approx(entropy(found), abs=1e-12)
    assert grammar.expected_length() == pytest.approx(mean_length(found), abs=1e-12)


@given(finite(told_apart=False), st.integers(0, 2**32))
def test_a_sampled_sentence_is_in_the_language_and_its_derivation_makes_it(
    rules: Any, seed: int
) -> None:
    grammar = Grammar(rules, start="N0")
    words = grammar.sample(np.random.default_rng(seed))
    assert math.isfinite(grammar.log_probability(words))
    choices, stack, made = iter(grammar.derivation(words) or ()), ["N0"], []
    while stack:
        symbol = stack.pop()
        if symbol in rules:
            stack += reversed(rules[symbol][next(choices)][1])
        else:
            made.append(symbol)
    assert (tuple(made), list(choices)) == (words, [])


@given(finite(told_apart=False), st.integers(0, 2**32))
def test_the_next_words_multiply_to_the_sentence(rules: Any, seed: int) -> None:
    grammar = Grammar(rules, start="N0")
    words = grammar.sample(np.random.default_rng(seed))
    product = 1.0
    for i, word in enumerate((*words, "</s>")):
        chances = grammar.next_probabilities(words[:i])
        assert math.fsum(chances.values()) == pytest.approx(1, abs=1e-12)
        product *= chances[word]
    assert product == pytest.approx(math.exp(grammar.log_probability(words)), rel=1e-12)


def test_all_sentences_up_to_a_length_have_the_mass_that_counting_gives() -> None:
    for pairs in range(6):
        p = [BRACKETS.log_probability(w) for w in itertools.product("()", repeat=2 * pairs)]
        ways = math.comb(2 * pairs, pairs) // (pairs + 1)
        assert sum(x > -math.inf for x in p) == ways
        assert math.fsum(map(math.exp, p)) == pytest.approx(ways * 0.3**pairs * 0.7 ** (pairs + 1))
    assert BRACKETS.log_probability(["(", ")", "("]) == -math.inf
    # n = 0.3 * 2 * n + 0.3: pairs a sentence; each symbol S costs one choice of 0.3 against 0.7.
    assert BRACKETS.expected_length() == pytest.approx(2 * 0.3 / (1 - 0.6))
    choice = -(0.3 * math.log(0.3) + 0.7 * math.log(0.7))
    assert BRACKETS.entropy() == pytest.approx(choice / (1 - 0.6))


def test_entropy_and_frequency_are_those_of_many_samples() -> None:
    rng = np.random.default_rng(0)
    drawn = [BRACKETS.sample(rng) for _ in range(6000)]
    p = {words: BRACKETS.log_probability(words) for words in set(drawn)}
    surprise = -np.array([p[words] for words in drawn])
    error = surprise.std() / math.sqrt(len(drawn))
    assert error < 0.04
    assert abs(surprise.mean() - BRACKETS.entropy()) < 4 * error
    for words, count in Counter(drawn).most_common(5):
        share = math.exp(p[words])
        assert abs(count / len(drawn) - share) < 4 * math.sqrt(share * (1 - share) / len(drawn))


def test_a_long_sentence_neither_underflows_nor_recurses_too_deep() -> None:
    grammar = Grammar({"S": [(0.5, ("a", "S")), (0.5, ())]}, start="S")
    assert grammar.log_probability(["a"] * 5000) == pytest.approx(-5001 * math.log(2))
    assert len(grammar.derivation(["a"] * 5000) or ()) == 5001
    assert grammar.next_probabilities(["a"] * 5000) == pytest.approx({"a": 0.5, "</s>": 0.5})


def test_words_come_in_order_of_first_appearance() -> None:
    grammar = Grammar(
        {"S": [(0.5, ("c", "T")), (0.5, ("a",))], "T": [(1.0, ("b", "a"))]}, start="S"
    )
    assert grammar.words == ("c", "a", "b")
    assert repr(grammar) == "Grammar of 2 nonterminals and 3 words"


def test_one_seed_gives_one_sequence() -> None:
    one, other = ([BRACKETS.sample(np.random.default_rng(seed)) for seed in range(9)] for _ in "ab")
    assert one == other and len(set(one)) > 1
