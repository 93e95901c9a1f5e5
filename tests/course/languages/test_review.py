"""The review language: its probabilities, labels and tags."""

import math

import numpy as np
import pytest

from course.languages import Grammar, ReviewLanguage
from course.languages.review import ENDINGS, WORDS

LANGUAGE = ReviewLanguage()
TEXTS = LANGUAGE.grammar.sentences()


def test_all_texts_are_listed_with_their_probabilities():
    # Person, dish, place or none, a word with or without "not", an ending.
    assert len(TEXTS) == 6 * 4 * 7 * 24 * 3
    assert math.fsum(TEXTS.values()) == pytest.approx(1, abs=1e-12)
    for words in list(TEXTS)[::997]:
        assert math.log(TEXTS[words]) == pytest.approx(LANGUAGE.log_probability(words), abs=1e-12)


def test_the_entropy_is_that_of_the_list():
    entropy = -math.fsum(p * math.log(p) for p in TEXTS.values())
    tokens = math.fsum(p * (len(words) + 1) for words, p in TEXTS.items())
    assert LANGUAGE.entropy_per_token() == pytest.approx(entropy / tokens, abs=1e-12)


def test_the_ending_tells_what_the_label_says():
    for words in TEXTS:
        label = LANGUAGE.label(words)
        assert words[-2] in ENDINGS[label]
        assert words[0] == words[-3]
        said = next(word for word in words if word in WORDS["good"] + WORDS["bad"])
        assert (label == "good") == ((said in WORDS["good"]) != ("not" in words))


def test_a_name_is_a_person_or_a_place_by_where_it_stands():
    words = "Jordan said the tea in Jordan was fine . Jordan left .".split()
    tags = LANGUAGE.tags(words)
    assert [tags[i] for i in (0, 5, 9)] == ["PERSON", "PLACE", "PERSON"]
    assert sum(tag == "O" for tag in tags) == len(words) - 3


def test_what_is_drawn_is_a_text_of_two_sentences():
    rng = np.random.default_rng(0)
    for _ in range(50):
        words = LANGUAGE.sample(rng)
        assert words in TEXTS
        first, second = LANGUAGE.sentences(words)
        assert first + second == words and len(second) == 3


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="words must say how a dish was"):
        LANGUAGE.label(["Ana", "left"])
    with pytest.raises(ValueError, match="words must be a list of strings"):
        LANGUAGE.tags("Ana left")


def test_sentences_that_are_made_in_two_ways_are_added_up():
    grammar = Grammar(
        {"S": [(0.25, ("a", "b")), (0.75, ("a", "T"))], "T": [(1.0, ("b",))]}, start="S"
    )
    assert grammar.sentences() == {("a", "b"): 1.0}
