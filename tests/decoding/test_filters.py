import math
from functools import partial

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals

BACKENDS = [np.asarray, torch.as_tensor]
RNG = np.random.default_rng(30)
LOGITS = RNG.normal(size=(2, 3, 7))


def kept_ids(row):
    return np.flatnonzero(np.isfinite(np.asarray(row))).tolist()


@pytest.mark.parametrize("of", BACKENDS)
def test_temperature_divides(of):
    got = np.asarray(tl.apply_temperature(of(LOGITS), 0.5))
    np.testing.assert_allclose(got, LOGITS * 2, atol=1e-15)


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
        kept = np.isin(np.arange(30), expected)
        np.testing.assert_array_equal(got, np.where(kept, row, -math.inf))


def test_top_p_looks_beyond_the_most_probable_fifty():
    assert len(kept_ids(tl.keep_top_p(np.zeros(200), 0.9))) == 180


def test_nan_stays_visible_and_integers_are_promoted():
    logits = np.array([0.0, np.nan, 1.0])
    assert np.isnan(tl.keep_top_k(logits, 1)).any()
    assert np.isnan(tl.keep_top_p(logits, 0.5)).any()
    assert tl.keep_top_k(np.array([1, 2]), 1).tolist() == [-math.inf, 2.0]


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


TEMPERATURE, K = "temperature must be positive and finite", "k must be an integer from 1 to V = 7"
NONE = np.zeros((2, 0))
test_bad_arguments = refusals(
    ("logits must have at least 1 axes", lambda: tl.keep_top_k(np.array(1.0), 1)),
    *((TEMPERATURE, partial(tl.apply_temperature, LOGITS, t)) for t in (-1.0, math.inf, math.nan)),
    *((K, partial(tl.keep_top_k, LOGITS, k)) for k in (0, -1, 8, 2.0, True, None)),
    *(
        ("p must be above 0 and at most 1", partial(tl.keep_top_p, LOGITS, p))
        for p in (0.0, -0.1, 1.1, math.nan)
    ),
    *(
        ("logits must score at least one token", partial(keep, NONE, 1))
        for keep in (tl.apply_temperature, tl.keep_top_k, tl.keep_top_p)
    ),
)
