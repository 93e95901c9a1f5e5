import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

import transformer_lib as tl

BACKENDS = [np.asarray, torch.as_tensor]
MODELS = st.integers(0, 10**6).map(
    lambda seed: np.random.default_rng(seed).normal(scale=2, size=(4, 4, 4))
)
ALPHAS = st.floats(0, 3)
SETTINGS = settings(max_examples=40, deadline=None)


def second_order(table, of=np.asarray):
    """A model whose next token depends on the last two."""
    return lambda ids: of(table[ids[-2] if len(ids) > 1 else 0, ids[-1]])


def beam_without_early_stop(next_logits, prefix, width, end, limit, alpha):
    living, done = [((), 0.0)], []
    for length in range(1, limit + 1):
        found = []
        for tokens, total in living:
            # Sums in the same order, so that sequences of equal probability tie or differ alike.
            log_p = tl.log_softmax(next_logits([*prefix, *tokens]))
            for token in np.argsort(-log_p, kind="stable").tolist():
                found.append(((*tokens, token), total + float(log_p[token])))
        found = sorted(found, key=lambda f: -f[1])[:width]
        stopped = [f for f in found if f[0][-1] == end or length == limit]
        done += [(t, total / ((5 + length) / 6) ** alpha) for t, total in stopped]
        living = [f for f in found if f not in stopped]
    return sorted(done, key=lambda f: -f[1])[:width]


@pytest.mark.parametrize("of", BACKENDS)
def test_greedy_takes_the_most_probable_token_at_every_step(of):
    # The worked example of the course: the, cat, sat, on, <end>.
    rows = [
        [0.8, 0.05, 0.05, 0.05, 0.05],
        [0.1, 0.7, 0.1, 0.05, 0.05],
        [0.05, 0.05, 0.85, 0.03, 0.02],
        [0.02, 0.03, 0.1, 0.84, 0.01],
        [0.01, 0.01, 0.01, 0.02, 0.95],
    ]
    found = tl.greedy_search(
        lambda ids: of(np.log(rows[len(ids) - 1])), [4], end=4, max_new_tokens=9
    )
    assert found.tokens == (0, 1, 2, 3, 4) and found.finished
    assert found.log_probability == pytest.approx(math.log(0.8 * 0.7 * 0.85 * 0.84 * 0.95))
    assert [step.chosen for step in found.steps] == [0, 1, 2, 3, 4]
    assert found.steps[1].candidates == (1, 0, 2, 3, 4)
    assert found.steps[1].probabilities == pytest.approx((0.7, 0.1, 0.1, 0.05, 0.05))


def test_greedy_stops_at_the_limit_and_breaks_ties_by_the_lowest_id():
    found = tl.greedy_search(lambda ids: np.zeros(3), [2], end=1, max_new_tokens=4)
    assert (found.tokens, found.finished) == ((0, 0, 0, 0), False)
    without = tl.greedy_search(lambda ids: np.zeros(3), [2], end=None, max_new_tokens=2)
    assert (without.tokens, without.finished) == ((0, 0), False)


def test_the_model_gets_a_list_of_its_own():
    def meddling(ids):
        assert type(ids) is list
        ids.append(0)
        return np.array([0.0, 1.0])

    assert tl.greedy_search(meddling, (1, 1), end=0, max_new_tokens=2).tokens == (1, 1)


@SETTINGS
@given(MODELS, ALPHAS, st.sampled_from([None, 0, 3]))
def test_a_beam_that_drops_nothing_is_exhaustive(table, alpha, end):
    model = second_order(table)
    every = tl.exhaustive_search(model, [1], end=end, max_new_tokens=3, alpha=alpha)
    beam = tl.beam_search(model, [1], width=64, end=end, max_new_tokens=3, alpha=alpha)
    assert len(beam.hypotheses) == len(every) == (64 if end is None else 1 + 3 + 9 * 4)
    for mine, theirs in zip(beam.hypotheses, every, strict=True):
        assert mine.score == pytest.approx(theirs.score, abs=1e-12)
    assert {h.tokens for h in beam.hypotheses} == {h.tokens for h in every}


@SETTINGS
@given(MODELS, ALPHAS, st.integers(1, 6))
def test_stopping_early_changes_nothing(table, alpha, width):
    model = second_order(table)
    expected = beam_without_early_stop(model, [1], width, 0, 6, alpha)
    got = tl.beam_search(model, [1], width=width, end=0, max_new_tokens=6, alpha=alpha)
    assert [h.tokens for h in got.hypotheses] == [tokens for tokens, _ in expected]
    assert [h.finished for h in got.hypotheses] == [tokens[-1] == 0 for tokens, _ in expected]
    assert [h.score for h in got.hypotheses] == pytest.approx([s for _, s in expected])


def test_the_search_does_stop_early():
    table = np.log([[0.01, 0.99], [0.01, 0.99]])
    calls = []

    def model(ids):
        calls.append(ids)
        return table[ids[-1]]

    found = tl.beam_search(model, [0], width=1, end=1, max_new_tokens=50)
    assert found.best.tokens == (1,) and len(calls) == 1
    found = tl.beam_search(model, [0], width=2, end=1, max_new_tokens=50)
    assert [h.tokens for h in found.hypotheses] == [(1,), (0, 1)]
    assert len(found.steps) == 2


def test_a_living_sequence_that_can_still_win_is_followed():
    # After two steps two sequences have ended and score at least what (2, 3) scores now; but 3
    # leads to 3 for sure, and with a length penalty the long sequence wins.
    table = np.array([[0, 0.6, 0.4, 0], [1, 0, 0, 0], [0, 0.5, 0, 0.5], [0, 0, 0, 1]])
    logits = np.where(table > 0, np.log(np.where(table > 0, table, 1)), -np.inf)
    found = tl.beam_search(
        lambda ids: logits[ids[-1]], [0], width=2, end=1, max_new_tokens=20, alpha=2.0
    )
    assert found.best.tokens == (2, *[3] * 19)


def test_length_penalty_is_that_of_the_paper():
    assert tl.length_penalty(1, 0.6) == 1.0
    assert tl.length_penalty(13, 2.0) == pytest.approx(9.0)
    assert tl.length_penalty(13, 0.0) == 1.0


@pytest.mark.parametrize("of", BACKENDS)
def test_the_steps_of_a_beam_are_its_tree(of):
    table = np.random.default_rng(5).normal(size=(4, 4, 4))
    model = second_order(table, of)
    found = tl.beam_search(model, [1], width=2, end=3, max_new_tokens=3, alpha=0.6)
    living = {()}
    for step in found.steps:
        assert {e.parent for e in step} <= living
        assert len(step) == 4
        assert [e.score for e in step] == sorted((e.score for e in step), reverse=True)
        assert [e.fate == "dropped" for e in step] == [False, False, True, True]
        for e in step:
            ids = [1, *e.parent, e.token]
            total = sum(
                float(tl.log_softmax(np.asarray(model(ids[:i])))[ids[i]])
                for i in range(1, len(ids))
            )
            assert e.log_probability == pytest.approx(total, abs=1e-12)
            assert e.score == pytest.approx(total / tl.length_penalty(len(ids) - 1, 0.6))
            assert (e.fate == "finished") == (e.token == 3 and e.fate != "dropped")
        living = {(*e.parent, e.token) for e in step if e.fate == "kept"}


def test_impossible_tokens_are_never_followed():
    row = np.array([-np.inf, 0.0, -np.inf])
    beam = tl.beam_search(lambda ids: row, [0], width=3, end=None, max_new_tokens=2)
    assert [h.tokens for h in beam.hypotheses] == [(1, 1)]
    assert len(tl.exhaustive_search(lambda ids: row, [0], end=None, max_new_tokens=2)) == 1
