import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from course.languages import AgreementLanguage
from tests.course.languages.sentences import entropy, mean_length, probabilities

LANGUAGE = AgreementLanguage()
SHORT = AgreementLanguage(more=0.4, most=2)
ALL = probabilities(SHORT.grammar.rules, "sentence")
PLURAL_NOUNS = {"chefs", "cats", "dragons", "uncles", "stores", "mats", "blackberries"}
SINGULAR_NOUNS = {"chef", "cat", "dragon", "uncle", "store", "mat", "blackberry", "tea", "Zuko"}
NOUNS = PLURAL_NOUNS | SINGULAR_NOUNS

seeds = st.integers(0, 2**32)


def phrases(words: tuple[str, ...]) -> int:
    return words.count("who") + words.count("and")


@pytest.mark.parametrize(
    "text,distance,number",
    [
        ("the chef who ran out of blackberries and went to the stores is hungry", 10, "singular"),
        ("dragons breathe fire", 0, "plural"),
        ("Zuko who made the uncle tea was tired", 5, "singular"),
        ("the cat who sat on the mat is hungry", 5, "singular"),
        ("the uncles who ate the blackberry were tired", 4, "plural"),
    ],
)
def test_sentences_written_by_hand(text: str, distance: int, number: str) -> None:
    words = text.split()
    assert math.isfinite(LANGUAGE.log_probability(words))
    assert LANGUAGE.distance(words) == distance
    assert LANGUAGE.number(words) == number
    assert words[LANGUAGE.verb(words)] in LANGUAGE.verbs[number]


@pytest.mark.parametrize(
    "text",
    [
        "the chef who ran out of blackberries are hungry",
        "the chefs who went to the store is tired",
        "dragons breathes fire",
        "the chef and went to the store is hungry",
        "the cat is",
    ],
)
def test_wrong_sentences_have_probability_zero(text: str) -> None:
    assert LANGUAGE.log_probability(text.split()) == -math.inf


def test_a_probability_worked_by_hand() -> None:
    # singular, "the", cat, a phrase, sat, mats, no more, is, hungry
    p = 0.5 * 0.8 * 0.25 * 0.5 * 0.2 * 0.5 * 0.5 * 0.5 * 0.6
    words = "the cat who sat on the mats is hungry".split()
    assert LANGUAGE.log_probability(words) == pytest.approx(math.log(p))


@given(seeds)
def test_every_sentence_is_in_the_language_and_agrees(seed: int) -> None:
    words = LANGUAGE.sample(np.random.default_rng(seed))
    assert math.isfinite(LANGUAGE.log_probability(words))
    assert phrases(words) <= 6
    nouns = [word for word in words if word in NOUNS]
    assert LANGUAGE.number(words) == ("plural" if nouns[0] in PLURAL_NOUNS else "singular")
    assert words.index(nouns[0]) + LANGUAGE.distance(words) + 1 == LANGUAGE.verb(words)
    assert all(word in LANGUAGE.vocabulary for word in words)
    verbs = LANGUAGE.verbs["singular"] + LANGUAGE.verbs["plural"]
    assert sum(word in verbs for word in words) == 1


@pytest.mark.slow
@pytest.mark.no_cover
def test_all_sentences_sum_to_one_and_give_entropy_and_length() -> None:
    assert math.fsum(ALL.values()) == pytest.approx(1, abs=1e-12)
    for words, p in ALL.items():
        assert SHORT.log_probability(words) == pytest.approx(math.log(p), abs=1e-10)
    assert SHORT.entropy() == pytest.approx(entropy(ALL), abs=1e-10)
    assert SHORT.expected_length() == pytest.approx(mean_length(ALL), abs=1e-10)
    tokens = mean_length(ALL) + 1  # </s>
    assert SHORT.entropy_per_token() == pytest.approx(entropy(ALL) / tokens, abs=1e-12)


@given(seeds, st.floats(0, 1))
def test_next_words_are_shares_of_the_sentences_that_go_on_so(seed: int, where: float) -> None:
    words = SHORT.sample(np.random.default_rng(seed))
    prefix = words[: int(where * len(words))]
    follow = dict.fromkeys((*SHORT.vocabulary.tokens[4:], "</s>"), 0.0)
    for sentence, p in ALL.items():
        if sentence[: len(prefix)] == prefix:
            follow[(*sentence, "</s>")[len(prefix)]] += p
    total = math.fsum(follow.values())
    found = SHORT.next_probabilities(prefix)
    assert found == pytest.approx({word: p / total for word, p in follow.items()}, abs=1e-12)


@pytest.mark.parametrize("count", [0, 1, 6, 20])
def test_at_distance_has_exactly_so_many_phrases(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(20):
        words = LANGUAGE.at_distance(rng, count)
        assert phrases(words) == count
        assert LANGUAGE.distance(words) >= 4 * count
        assert (LANGUAGE.log_probability(words) > -math.inf) == (count <= 6)
        # Given that there are so many phrases, the sentence is as likely as in a longer language.
        assert math.isfinite(AgreementLanguage(most=20).log_probability(words))


def test_agreeing_with_the_last_noun_is_a_coin_toss() -> None:
    rng = np.random.default_rng(0)
    right = []
    for _ in range(1000):
        words = LANGUAGE.at_distance(rng, 3)
        last = next(w for w in reversed(words[: LANGUAGE.verb(words)]) if w in NOUNS)
        right.append((last in PLURAL_NOUNS) == (LANGUAGE.number(words) == "plural"))
    assert abs(np.mean(right) - 0.5) < 4 * 0.5 / math.sqrt(len(right))


@pytest.mark.parametrize("more,most", [(0.0, 6), (1.0, 3), (0.5, 0), (0.5, 1)])
def test_the_ends_of_the_range_are_languages_too(more: float, most: int) -> None:
    language = AgreementLanguage(more=more, most=most)
    counts = {phrases(language.sample(np.random.default_rng(seed))) for seed in range(50)}
    expected = {(0.0, 6): {0}, (1.0, 3): {3}, (0.5, 0): {0}, (0.5, 1): {0, 1}}[more, most]
    assert counts == expected
    assert language.vocabulary.tokens == LANGUAGE.vocabulary.tokens
    assert list(language.next_probabilities([])) == [*language.vocabulary.tokens[4:], "</s>"]


def test_the_vocabulary_is_small() -> None:
    assert 20 <= len(LANGUAGE.vocabulary) - 4 <= 40
    assert repr(LANGUAGE) == "AgreementLanguage(more=0.5, most=6)"
