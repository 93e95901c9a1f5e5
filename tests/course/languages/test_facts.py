"""The fact language: every sentence and its probability can be listed."""

import math
from collections import Counter

import numpy as np

from course.languages import FactLanguage
from course.languages.facts import DISHES, NAMES, TOKENS
from tests.course.languages.sentences import entropy, mean_length
from tests.refusals import refusals

LANGUAGE = FactLanguage(names=5, days=3)
ALL = dict(LANGUAGE.sentences())


def test_words_are_different_and_one_dish_belongs_to_each_name_and_day() -> None:
    assert len(set(NAMES)) == 48 and len(set(DISHES)) == 32
    assert len(LANGUAGE.vocabulary) == 4 + 5 + 3 + 32
    assert len(ALL) == len({words[:2] for words in ALL}) == 15
    assert all(LANGUAGE.dish[words[:2]] == words[2] for words in ALL)


def test_the_probabilities_are_zipf_s_and_sum_to_one() -> None:
    assert math.isclose(math.fsum(ALL.values()), 1)
    first = LANGUAGE.sentences()[0][1]
    for words, p in ALL.items():
        name, day = LANGUAGE.names.index(words[0]), LANGUAGE.days.index(words[1])
        assert math.isclose(p, first / ((name + 1) * (day + 1)))


def test_entropy_is_that_of_the_list() -> None:
    assert math.isclose(LANGUAGE.entropy(), entropy(ALL))
    assert TOKENS == mean_length(ALL) + 1
    assert math.isclose(LANGUAGE.entropy_per_token(), entropy(ALL) / 4)


def test_sentences_are_drawn_as_often_as_they_should() -> None:
    rng = np.random.default_rng(7)
    counts = Counter(LANGUAGE.sample(rng) for _ in range(5000))
    assert counts.keys() <= ALL.keys()
    for words, p in ALL.items():
        deviation = math.sqrt(5000 * p * (1 - p))
        assert abs(counts[words] - 5000 * p) < 4 * deviation


def test_a_seed_draws_other_dishes_and_the_same_seed_the_same() -> None:
    assert FactLanguage(seed=1).dish != FactLanguage().dish == FactLanguage().dish
    assert repr(LANGUAGE) == "FactLanguage(names=5, days=3, seed=0)"


test_what_is_refused = refusals(
    ("names must be an integer of 1 or more, got 0", {"names": 0}),
    ("names and days must be at most 48, got 48 and 49", {"days": 49}),
    ("seed must be an integer of 0 or more, got -1", {"seed": -1}),
    of=lambda wrong: FactLanguage(**wrong),
)
