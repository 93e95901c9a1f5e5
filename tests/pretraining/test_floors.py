"""Floors: exact on languages so small that every case can be counted."""

import itertools
import math

import numpy as np
import pytest

from transformer_lib.pretraining import (
    IGNORED,
    Masked,
    Outcome,
    SentencePair,
    follows_probability,
    masked_floor,
    masked_log_probabilities,
    span_outcomes,
    target_log_probabilities,
)

WORDS = range(8, 11)
TEXTS = np.array([[2, 8, 9, 3], [2, 9, 9, 3], [2, 10, 8, 3]])
P = np.array([0.5, 0.3, 0.2])
SHARES = {"share": 0.4, "masked": 0.6, "random": 0.3}


def fates(word):
    """Everything that may become of a word: what is read, whether it was chosen, how probable."""
    share, masked, random = SHARES.values()
    found = [(word, False, 1 - share), (4, True, share * masked)]
    found += [(other, True, share * random / len(WORDS)) for other in WORDS]
    return [*found, (word, True, share * (1 - masked - random))]


def cases():
    """Every text with every fate of its two words."""
    for text, p in zip(TEXTS, P, strict=True):
        for a, b in itertools.product(fates(text[1]), fates(text[2])):
            yield text, (a, b), p * a[2] * b[2]


def test_the_posterior_of_a_masked_word_is_what_counting_all_cases_gives():
    read = {tuple(fate[0] for fate in case[1]) for case in cases()}
    loss = asks = 0.0
    for pair in read:
        for place in (0, 1):
            asked = [
                (text[place + 1], p)
                for text, fate, p in cases()
                if tuple(f[0] for f in fate) == pair and fate[place][1]
            ]
            total = math.fsum(p for _, p in asked)
            for word in {word for word, _ in asked}:
                targets = np.full((1, 4), IGNORED)
                targets[0, place + 1] = word
                given = Masked(np.array([[2, *pair, 3]]), targets)
                found = masked_log_probabilities(
                    given, TEXTS, P, mask_id=4, word_ids=WORDS, **SHARES
                )
                right = math.fsum(p for other, p in asked if other == word) / total
                assert np.exp(found).item() == pytest.approx(right, abs=1e-12)
                loss -= right * total * math.log(right)
            asks += total
    floor = masked_floor(TEXTS, P, word_ids=WORDS, **SHARES)
    assert floor == pytest.approx(loss / asks, abs=1e-12)


def test_places_of_which_only_three_together_depend_are_refused():
    texts = np.array([[8, 8, 8], [8, 9, 9], [9, 8, 9], [9, 9, 8]])
    with pytest.raises(ValueError, match="independent groups"):
        masked_floor(texts, np.full(4, 0.25), word_ids=WORDS)


def test_the_mean_of_target_log_probabilities_is_the_entropy_of_what_is_hidden():
    texts = {("a", "b"): 0.5, ("a", "c"): 0.25, ("d", "c"): 0.25}

    def outcomes(words):
        return list(span_outcomes(words, ["<0>", "<1>"]))

    every = [(o, p * o.probability) for words, p in texts.items() for o in outcomes(words)]
    examples = [(o.source, o.target) for o, _ in every]
    found = target_log_probabilities(examples, texts, outcomes)
    entropy = -math.fsum(q * log_p for (_, q), log_p in zip(every, found, strict=True))
    # Half of the time the second word is gone: 2/3 to 1/3 after a, nothing to guess after d.
    # Else the first is gone: nothing before b, an even choice before c.
    second = 0.75 * -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert entropy == pytest.approx(0.5 * second + 0.5 * 0.5 * math.log(2), abs=1e-12)


def test_an_impossible_example_is_refused():
    outcomes = lambda words: [Outcome(words, words, 1.0)]  # noqa: E731
    with pytest.raises(ValueError, match="examples must be possible"):
        target_log_probabilities([(("a",), ("b",))], {("a",): 1.0}, outcomes)


def test_a_second_sentence_that_fits_any_first_follows_with_one_half():
    a, b, c = ("a",), ("b",), ("c",)
    texts = {(a, c): 0.5, (b, c): 0.5}
    assert follows_probability(SentencePair(a, c, True), texts) == pytest.approx(0.5)
    texts = {(a, b): 0.25, (c, a): 0.75}
    assert follows_probability(SentencePair(a, b, True), texts) == pytest.approx(0.8)
    assert follows_probability(SentencePair(a, a, False), texts) == 0.0
