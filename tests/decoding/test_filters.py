import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

import transformer_lib as tl

BACKENDS = [np.asarray, torch.as_tensor]
RNG = np.random.default_rng(30)
LOGITS = RNG.normal(size=(2, 3, 7))
ROWS = st.lists(st.floats(-20, 20), min_size=1, max_size=6).map(np.array)


def kept_ids(row):
    return np.flatnonzero(np.isfinite(np.asarray(row))).tolist()


@pytest.mark.parametrize("of", BACKENDS)
def test_temperature_divides(of):
    got = np.asarray(tl.apply_temperature(of(LOGITS), 0.5))
    np.testing.assert_allclose(got, LOGITS * 2, atol=1e-15)


@pytest.mark.parametrize("of", BACKENDS)
@pytest.mark.parametrize("k", [1, 3, 7])
def test_top_k_equals_plain_loops(of, k):
    got = np.asarray(tl.keep_top_k(of(LOGITS), k))
    for row, scores in zip(got.reshape(6, 7), LOGITS.reshape(6, 7), strict=True):
        best = sorted(range(7), key=lambda i: -scores[i])[:k]
        assert row.tolist() == [scores[i] if i in best else -math.inf for i in range(7)]


@pytest.mark.parametrize("of", BACKENDS)
def test_of_equal_tokens_the_lowest_ids_stay(of):
    logits = of(np.array([0.0, 1.0, 0.0, 1.0, 0.0]))
    assert kept_ids(tl.keep_top_k(logits, 3)) == [0, 1, 3]
    assert kept_ids(tl.keep_top_k(logits, 1)) == [1]
    assert kept_ids(tl.keep_top_p(of(np.zeros(5)), 0.4)) == [0, 1]
    many = of(np.arange(900) % 3 * 1.0)
    assert kept_ids(tl.keep_top_k(many, 100)) == list(range(2, 300, 3))


@pytest.mark.parametrize("of", BACKENDS)
def test_all_of_the_vocabulary_and_all_of_the_probability_change_nothing(of):
    logits = of(np.array([0.0, -800.0, -np.inf, 3.0]))
    np.testing.assert_array_equal(np.asarray(tl.keep_top_k(logits, 4)), np.asarray(logits))
    np.testing.assert_array_equal(np.asarray(tl.keep_top_p(logits, 1.0)), np.asarray(logits))


@pytest.mark.parametrize("of", BACKENDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_that_misses_p_by_rounding_alone_reaches_it(of, dtype):
    assert 0.7 + 0.1 + 0.1 < 0.9
    logits = of(np.log(np.array([0.1, 0.7, 0.1, 0.1])).astype(dtype))
    assert kept_ids(tl.keep_top_p(logits, 0.9)) == [0, 1, 2]
    assert kept_ids(tl.keep_top_p(logits, 0.9, exceed=True)) == [0, 1, 2, 3]
    assert kept_ids(tl.keep_top_p(logits, 0.899)) == [0, 1, 2]
    assert kept_ids(tl.keep_top_p(logits, 0.901)) == [0, 1, 2, 3]
    assert kept_ids(tl.keep_top_p(logits, 0.7)) == [1]
    assert kept_ids(tl.keep_top_p(logits, 0.7, exceed=True)) == [0, 1]
    assert kept_ids(tl.keep_top_p(logits, 1e-300)) == [1]


@given(ROWS, st.floats(0.01, 0.99), st.booleans())
def test_top_p_keeps_the_smallest_set(logits, p, exceed):
    kept = kept_ids(tl.keep_top_p(logits, p, exceed=exceed))
    probabilities = tl.softmax(logits)
    total = probabilities[kept].sum()
    assert total >= p - 1e-14
    for size in range(len(kept)):
        for smaller in itertools.combinations(range(len(logits)), size):
            assert probabilities[list(smaller)].sum() < p + (1e-14 if exceed else 0)


@given(ROWS, st.floats(0.01, 1.0))
def test_the_probabilities_that_are_kept_sum_to_one_in_the_old_proportions(logits, p):
    after = tl.softmax(tl.keep_top_p(logits, p))
    assert after.sum() == pytest.approx(1, abs=1e-12)
    kept = after > 0
    before = tl.softmax(logits)
    np.testing.assert_allclose(after[kept], before[kept] / before[kept].sum(), rtol=1e-9)


@pytest.mark.parametrize("of", BACKENDS)
@pytest.mark.parametrize("exceed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_top_p_equals_plain_loops_where_many_are_equal(of, exceed, seed):
    rng = np.random.default_rng(seed)
    logits, p = rng.integers(0, 3, (2, 30)) * 1.0, rng.uniform(0.1, 0.95)
    logits[rng.random((2, 30)) < 0.2] = -np.inf
    for row, got in zip(
        logits, np.asarray(tl.keep_top_p(of(logits), p, exceed=exceed)), strict=True
    ):
        expected, total = [], 0.0
        for i in sorted(range(30), key=lambda i: (-row[i], i)):
            expected += [i] if total < p else []
            total += tl.softmax(row)[i]
        assert kept_ids(got) == sorted(expected)


def test_top_p_looks_beyond_the_most_probable_fifty():
    assert len(kept_ids(tl.keep_top_p(np.zeros(200), 0.9))) == 180


def test_torch_equals_numpy_on_batches():
    for p in (0.2, 0.5, 0.95):
        expected = tl.keep_top_p(LOGITS, p)
        assert 6 < np.isfinite(expected).sum() < 42 or p == 0.2
        np.testing.assert_array_equal(tl.keep_top_p(torch.from_numpy(LOGITS), p).numpy(), expected)


def test_nan_stays_visible_and_integers_are_promoted():
    logits = np.array([0.0, np.nan, 1.0])
    assert np.isnan(tl.keep_top_k(logits, 1)).any()
    assert np.isnan(tl.keep_top_p(logits, 0.5)).any()
    assert tl.keep_top_k(np.array([1, 2]), 1).tolist() == [-math.inf, 2.0]


FUNCTIONS = {
    "temperature": lambda x: tl.apply_temperature(x, 1.0),
    "k": lambda x: tl.keep_top_k(x, 1),
    "p": lambda x: tl.keep_top_p(x, 0.5),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    ("logits", "message"),
    [
        ([1.0, 2.0], "logits must be a numpy array"),
        (np.array(1.0), "logits must have at least 1 axes"),
        (np.array([True]), "logits must hold real numbers"),
        (np.zeros((2, 0)), "logits must score at least one token"),
    ],
)
def test_bad_logits(name, logits, message, unhooked):
    with pytest.raises(ValueError, match=message):
        FUNCTIONS[name](logits)


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.inf, math.nan])
def test_bad_temperature(temperature):
    with pytest.raises(ValueError, match="temperature must be positive and finite"):
        tl.apply_temperature(LOGITS, temperature)


@pytest.mark.parametrize("of", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize(
    ("dtype", "temperature"),
    [("float32", 1e-38), ("float32", 1e-45), ("float32", 1e-50), ("float64", 1e-320)],
)
def test_a_temperature_that_leaves_no_numbers(of, dtype, temperature):
    logits = of(np.array([0.0, 3.0, 5.0], dtype=dtype))
    with pytest.raises(ValueError, match="temperature must keep logits / temperature finite"):
        tl.apply_temperature(logits, temperature)


@pytest.mark.parametrize("of", [np.asarray, torch.as_tensor])
def test_a_temperature_at_which_only_the_least_are_lost(of):
    logits = of(np.array([0.5, -3e38, -np.inf], dtype=np.float32))
    with np.errstate(over="ignore"):
        got = tl.apply_temperature(logits, 0.5)
    assert np.asarray(tl.softmax(got)).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("k", [0, -1, 8, 2.0, True, None])
def test_bad_k(k, unhooked):
    with pytest.raises(ValueError, match="k must be an integer from 1 to V = 7"):
        tl.keep_top_k(LOGITS, k)


@pytest.mark.parametrize("p", [0.0, -0.1, 1.1, math.nan])
def test_bad_p(p):
    with pytest.raises(ValueError, match="p must be above 0 and at most 1"):
        tl.keep_top_p(LOGITS, p)
