"""What happens exactly at a limit, and among many equal tokens."""

import numpy as np
import pytest
import torch

import transformer_lib as tl

# Three values a hundred times each: a sort that is not stable mixes the ids of equals.
TIED = np.arange(300) % 3 * 1.0
BEST_FIRST = sorted(range(300), key=lambda i: (-TIED[i], i))


def test_greedy_search_lists_equals_by_their_id():
    step = tl.greedy_search(lambda ids: TIED, [0], end=None, max_new_tokens=1).steps[0]
    assert list(step.candidates) == BEST_FIRST


def test_sampling_lists_equals_by_their_id():
    rng = np.random.default_rng(0)
    step = tl.sample(lambda ids: TIED, [0], rng=rng, end=None, max_new_tokens=1).steps[0]
    assert list(step.candidates) == BEST_FIRST


def test_beam_search_ranks_equals_by_their_id():
    found = tl.beam_search(lambda ids: TIED, [0], width=60, end=None, max_new_tokens=1)
    assert [expansion.token for expansion in found.steps[0]] == BEST_FIRST[:120]


def test_beam_search_stops_when_the_living_can_only_draw_level():
    # The end and one token share 0.4; of that token's continuations the end and one share 0.2.
    table = {(): [0.4, 0.4, 0.2], (0,): [0.0, 0.5, 0.5], (0, 2): [0.1, 0.1, 0.8]}

    def next_logits(ids):
        with np.errstate(divide="ignore"):
            return np.log(table[tuple(ids[1:])])

    found = tl.beam_search(next_logits, [0], width=2, end=1, max_new_tokens=3)
    assert len(found.steps) == 2
    assert [h.tokens for h in found.hypotheses] == [(1,), (0, 1)]


def test_exhaustive_search_knows_what_has_finished():
    found = tl.exhaustive_search(lambda ids: np.zeros(2), [0], end=1, max_new_tokens=2)
    assert {h.tokens: h.finished for h in found} == {(1,): True, (0, 1): True, (0, 0): False}


def test_exhaustive_search_takes_exactly_a_hundred_thousand_sequences(unhooked):
    def search(V):
        return tl.exhaustive_search(lambda ids: np.zeros(V), [0], end=None, max_new_tokens=1)

    assert len(search(100_000)) == 100_000
    with pytest.raises(ValueError, match="at most 100000, got 100001"):
        search(100_001)


EPS = 2.0**-52
TWO = np.zeros(2)
"""Two tokens with a probability of 0.5 each, exactly."""


@pytest.mark.parametrize("of", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize(
    ("p", "exceed", "kept"),
    [
        (0.5 + 16 * EPS, False, 1),
        (0.5 + 16.5 * EPS, False, 2),
        (0.5 - 16 * EPS, True, 2),
        (0.5 - 16.5 * EPS, True, 1),
    ],
)
def test_a_total_within_16_rounding_errors_counts_as_equal(of, p, exceed, kept):
    assert int(np.isfinite(np.asarray(tl.keep_top_p(of(TWO), p, exceed=exceed))).sum()) == kept


def test_filters_stay_on_the_device_of_the_logits():
    elsewhere = torch.empty((2, 5), device="meta")
    assert tl.keep_top_p(elsewhere, 0.5).device.type == "meta"
    assert tl.keep_top_k(elsewhere, 2).device.type == "meta"
