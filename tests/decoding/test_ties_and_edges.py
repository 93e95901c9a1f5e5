"""What happens exactly at a limit, and among many equal tokens."""

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib.decoding.row import best, to_numpy
from transformer_lib.nn.lines import Beams

# Three values a hundred times each: a sort that is not stable mixes the ids of equals.
TIED = np.arange(300) % 3 * 1.0
BEST_FIRST = sorted(range(300), key=lambda i: (-TIED[i], i))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("k", [1, 2, 7, 100, 299, 300, 400])
def test_the_best_of_a_row_are_those_of_a_stable_sort(seed, k):
    rng = np.random.default_rng(seed)
    row = rng.integers(0, 1 + seed, 300) * 1.0
    row[rng.random(300) < seed / 25] = -np.inf
    expected = np.argsort(-row, kind="stable")[:k]
    assert best(row, k).tolist() == expected.tolist()
    kept = np.where(np.isin(np.arange(300), expected), row, -np.inf)
    for of in (np.asarray, torch.as_tensor):
        found = tl.keep_top_k(of(np.stack([row - 1, row])), min(k, 300))
        np.testing.assert_array_equal(np.asarray(found), [kept - 1, kept])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("width", [1, 2, 3, 7, 20])
def test_beams_of_a_batch_rank_equals_by_parent_probability_and_id(seed, width):
    """Of whole numbers, whose sums are exact, and some impossible tokens."""
    rng = np.random.default_rng(seed)
    totals = sorted((-rng.integers(0, 3, width)).tolist(), reverse=True)
    gains = np.where(rng.random((width, 9)) < 0.3, -np.inf, -rng.integers(0, 4, (width, 9)))
    beams = Beams(1, frozenset(), width=width, limit=9, alpha=0.0)
    beams.lines = [[((rank,), float(total)) for rank, total in enumerate(totals)]]
    beams.step(torch.from_numpy(gains))
    found = ((-totals[r] - g, r, -g, token) for (r, token), g in np.ndenumerate(gains))
    best = [each for each in sorted(found)[:width] if each[0] < np.inf]
    assert beams.lines[0] == [((r, token), -cost) for cost, r, _, token in best]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.int64])
def test_numbers_stay_the_same_in_64_bits(dtype):
    row = (torch.arange(-9, 9) / 7).to(dtype)
    assert to_numpy(row.requires_grad_(dtype.is_floating_point)).tolist() == row.tolist()
    assert to_numpy(row).dtype == np.float64


def test_a_step_keeps_few_of_a_large_vocabulary():
    row = np.random.default_rng(0).normal(size=5000)
    order = np.argsort(-row).tolist()
    step = tl.greedy_search(lambda ids: row, [0], end=None, max_new_tokens=1).steps[0]
    assert list(step.candidates) == order[:100] and step.chosen == order[0]
    assert step.probabilities == pytest.approx(tl.softmax(row)[order[:100]])


def test_greedy_search_and_sampling_list_equals_by_their_id():
    options = {"end": None, "max_new_tokens": 1}
    drawn = tl.sample(lambda ids: TIED, [0], rng=np.random.default_rng(0), **options)
    for found in (drawn, tl.greedy_search(lambda ids: TIED, [0], **options)):
        assert list(found.steps[0].candidates) == BEST_FIRST[:100]


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
