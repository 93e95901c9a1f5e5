import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

import transformer_lib as tl
from tests.refusals import refusals

BACKENDS = [np.asarray, torch.as_tensor]
TABLE = np.random.default_rng(40).normal(scale=2, size=(7, 7))


def run(seed=0, of=np.asarray, end=None, limit=12, **options):
    return tl.sample(
        lambda ids: of(TABLE[ids[-1]]),
        [3],
        rng=np.random.default_rng(seed),
        end=end,
        max_new_tokens=limit,
        **options,
    )


@pytest.mark.parametrize("options", [{}, {"top_k": 3}, {"top_p": 0.8, "temperature": 1.5}])
def test_both_libraries_draw_the_same_and_a_seed_repeats(options):
    assert run(5, of=torch.as_tensor, **options) == run(5, **options) == run(5, **options)
    assert run(5, **options) != run(6, **options)


def test_one_random_number_is_spent_on_each_token():
    rng, same = np.random.default_rng(1), np.random.default_rng(1)
    found = tl.sample(lambda ids: TABLE[ids[-1]], [3], rng=rng, end=0, max_new_tokens=9)
    same.random(len(found.tokens))
    assert rng.random() == same.random()


@pytest.mark.parametrize("of", BACKENDS)
def test_top_k_one_and_low_temperature_are_greedy(of):
    greedy = tl.greedy_search(lambda ids: TABLE[ids[-1]], [3], end=None, max_new_tokens=12)
    assert run(1, of, top_k=1).tokens == greedy.tokens
    assert run(1, of, temperature=1e-4).tokens == greedy.tokens
    assert run(1, of, top_p=1e-9).tokens == greedy.tokens


def test_steps_hold_what_could_be_drawn():
    found = run(2, top_k=3, temperature=0.7)
    previous = 3
    for step, token in zip(found.steps, found.tokens, strict=True):
        order = np.argsort(-TABLE[previous])[:3]
        assert step.candidates == tuple(order.tolist())
        expected = tl.softmax(TABLE[previous][order] / 0.7)
        assert step.probabilities == pytest.approx(expected.tolist())
        assert sum(step.probabilities) == pytest.approx(1)
        assert step.chosen == token and token in step.candidates
        previous = token


def test_the_log_probability_is_that_of_the_model_itself():
    found = run(3, top_p=0.6, temperature=2.0)
    path = [3, *found.tokens]
    expected = sum(tl.log_softmax(TABLE[a])[b] for a, b in itertools.pairwise(path))
    assert found.log_probability == pytest.approx(expected, abs=1e-12)


def test_top_p_comes_after_top_k_over_what_is_left():
    row = np.log([0.4, 0.3, 0.2, 0.1])
    found = tl.sample(
        lambda ids: row,
        [0],
        rng=np.random.default_rng(0),
        end=None,
        max_new_tokens=1,
        top_k=2,
        top_p=0.55,
    )
    assert found.steps[0].candidates == (0,)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_the_end_token_and_the_limit_are_honored(seed):
    found = run(seed, end=2, limit=6)
    assert 2 not in found.tokens[:-1]
    assert found.finished == (found.tokens[-1] == 2)
    assert len(found.tokens) == len(found.steps) <= 6
    assert found.finished or len(found.tokens) == 6


test_a_draw_of_no_tokens_is_refused = refusals(
    ("k must be an integer from 1 to V = 7", lambda: run(top_k=0))
)
