"""Pairs, spans and noises: what is drawn is what the list of all outcomes says."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tests.refusals import refusals
from transformer_lib.pretraining import (
    all_spans,
    corrupt_spans,
    document_rotation,
    draw_spans,
    noise_outcomes,
    noises,
    sentence_pairs,
    sentence_permutation,
    span_count,
    span_outcomes,
    text_infilling,
    token_deletion,
)

WORDS = tuple("a b c . d e .".split())
SENTINELS = ("<0>", "<1>", "<2>", "<3>")
DRAWS = 20_000


def frequencies(draw):
    rng = np.random.default_rng(5)
    return Counter(draw(rng) for _ in range(DRAWS))


def agree(found, expected):
    """Every outcome is as frequent as it is probable, within five standard deviations."""
    assert set(found) <= set(expected)
    assert sum(expected.values()) == pytest.approx(1, abs=1e-12)
    for outcome, p in expected.items():
        assert abs(found[outcome] / DRAWS - p) < 5 * np.sqrt(p * (1 - p) / DRAWS) + 1e-9, outcome


@pytest.mark.no_cover
@pytest.mark.parametrize("name", noises("_"))
def test_a_noise_draws_each_outcome_as_often_as_the_list_says(name):
    expected: Counter = Counter()
    for source, target, p in noise_outcomes(name, WORDS, mask="_"):
        assert target == WORDS
        expected[source] += p
    noise = noises("_")[name]
    agree(frequencies(lambda rng: noise(WORDS, rng)), expected)


@pytest.mark.no_cover
@pytest.mark.parametrize(("n", "taken", "count"), [(7, 3, 2), (5, 2, 1), (6, 3, 3)])
def test_each_choice_of_spans_is_as_frequent_as_any_other(n, taken, count):
    ways = [tuple(way) for way in all_spans(n, taken, count)]
    assert len(ways) == len(set(ways))
    for way in ways:
        assert sum(stop - start for start, stop in way) == taken and len(way) == count
        assert all(a[1] < b[0] for a, b in pairwise(way))
        assert way[0][0] >= 0 and way[-1][1] <= n
    found = frequencies(lambda rng: tuple(draw_spans(n, taken, count, rng)))
    agree(found, dict.fromkeys(ways, 1 / len(ways)))


def test_source_and_target_together_give_the_text_back():
    for source, target, _ in span_outcomes(WORDS, SENTINELS, share=0.5, mean=1.5):
        filled = []
        for word in source:
            if word not in SENTINELS:
                filled.append(word)
                continue
            rest = target[target.index(word) + 1 :]
            filled += rest[: next(i for i, w in enumerate(rest) if w in SENTINELS)]
        assert tuple(filled) == WORDS


@pytest.mark.parametrize(
    ("n", "share", "mean"), [(512, 0.15, 3.0), (114, 0.15, 3.0), (20, 0.5, 3.0), (9, 0.15, 3.0)]
)
def test_as_many_tokens_and_spans_as_in_t5(n, share, mean):
    """Raffel et al. (2020), released code: round, at least one, and one must stay."""
    taken = min(max(int(np.round(n * share)), 1), n - 1)
    spans = max(int(np.round(taken / mean)), 1)
    assert span_count(n, share, mean) == (taken, spans)


def test_a_text_is_shorter_where_tokens_are_deleted_and_as_long_where_they_are_turned():
    rng = np.random.default_rng(0)
    assert len(token_deletion(WORDS, rng, share=0.4)) == 7 - 3
    turned = document_rotation(WORDS, rng)
    assert turned in {WORDS[i:] + WORDS[:i] for i in range(7)}
    assert Counter(sentence_permutation(WORDS, rng)) == Counter(WORDS)


def test_several_spans_leave_the_other_tokens_in_order():
    rng = np.random.default_rng(2)
    for _ in range(100):
        found = text_infilling(WORDS, rng, mask="_", spans=3, mean=1.0)
        assert found.count("_") == 3
        rest = iter(WORDS)
        assert all(word in rest for word in found if word != "_")


def test_half_of_the_pairs_follow_and_no_other_text_is_the_same():
    texts = [((f"a{i}",), (f"b{i}",)) for i in range(5)]
    rng = np.random.default_rng(4)
    pairs = [pair for _ in range(2000) for pair in sentence_pairs(texts, rng)]
    follows = np.array([pair.follows for pair in pairs])
    assert abs(follows.mean() - 0.5) < 5 * 0.5 / np.sqrt(len(pairs))
    assert all((p.first[0][1:] == p.second[0][1:]) == p.follows for p in pairs)
    others = Counter(p.second for p in pairs if p.first == ("a2",) and not p.follows)
    assert len(others) == 4 and min(others.values()) > 0.8 * max(others.values())


RNG = np.random.default_rng(0)
test_what_does_not_fit_is_refused = refusals(
    ("count must let the spans fit", lambda: draw_spans(4, 3, 3, RNG)),
    ("sentinels must be more than", lambda: corrupt_spans(WORDS, [(0, 1), (2, 3)], ["<0>", "<1>"])),
    ("two sentences each", lambda: sentence_pairs([(("a",), ("b",)), (("c",),)], RNG)),
    ("texts must be two or more", lambda: sentence_pairs([(("a",), ("b",))], RNG)),
    ("one of the five noises", lambda: next(noise_outcomes("shuffling", WORDS, mask="_"))),
)
