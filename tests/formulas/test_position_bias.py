import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

import transformer_lib as tl
from tests.refusals import refusals

LIKE = np.empty(0)


def slopes_of_the_paper(h: int) -> list[float]:
    """Follow the recipe as it is told: halve for powers of two, else borrow every other one."""
    if math.log2(h).is_integer():
        start = 2 ** (-(2 ** -(math.log2(h) - 3)))
        return [start * start**i for i in range(h)]
    below = 2 ** math.floor(math.log2(h))
    return slopes_of_the_paper(below) + slopes_of_the_paper(2 * below)[0::2][: h - below]


@pytest.mark.parametrize("h", range(1, 41))
def test_slopes_follow_the_recipe_for_any_number_of_heads(h: int) -> None:
    slopes = tl.alibi_slopes(h, like=LIKE)
    assert slopes.shape == (h,)
    np.testing.assert_allclose(slopes, slopes_of_the_paper(h), rtol=1e-12)


def test_alibi_grows_with_the_distance(backend: Any) -> None:
    bias = tl.alibi_bias(3, 5, 2, like=backend([0.0]), offset=2)
    for head, i, j in np.ndindex(2, 3, 5):
        slope = (1 / 16, 1 / 256)[head]
        assert float(bias[head, i, j]) == -slope * abs(i + 2 - j)


def bucket_in_plain_python(ahead: int, bidirectional: bool, buckets: int, longest: int) -> int:
    start = 0
    if bidirectional:
        buckets //= 2
        start, ahead = buckets * (ahead > 0), -abs(ahead)
    distance = max(-ahead, 0)
    exact = buckets // 2
    if distance < exact:
        return start + distance
    # A hair above, because the logarithm of a whole power may come out a hair below.
    share = math.log(distance / exact) / math.log(longest / exact) + 1e-12
    return start + min(exact + int(share * (buckets - exact)), buckets - 1)


@given(st.booleans(), st.integers(4, 33), st.integers(17, 200), st.integers(0, 150))
def test_buckets_equal_the_definition(two: bool, buckets: int, longest: int, offset: int) -> None:
    result = tl.relative_buckets(
        2, 200, like=LIKE, bidirectional=two, buckets=buckets, max_distance=longest, offset=offset
    )
    assert result.shape == (2, 200)
    for i in range(2):
        expected = [
            bucket_in_plain_python(j - i - offset, two, buckets, longest) for j in range(200)
        ]
        assert result[i].tolist() == expected


def test_buckets_equal_the_float32_recipe_that_t5_was_trained_with() -> None:
    distance = torch.arange(0, 400)
    large = 8 + (torch.log(distance.float() / 8) / math.log(128 / 8) * 8).to(torch.long)
    expected = torch.where(distance < 8, distance, large.clamp(max=15))
    ours = tl.relative_buckets(400, 1, like=distance)[:, 0]
    assert ours.tolist() == expected.tolist()


def test_the_bias_is_looked_up_for_each_head(backend: Any) -> None:
    table = np.random.default_rng(0).normal(size=(32, 4))
    buckets = tl.relative_buckets(3, 5, like=backend([0.0]))
    bias = tl.relative_bias(backend(table), buckets)
    assert tuple(bias.shape) == (4, 3, 5)
    for head, i, j in np.ndindex(4, 3, 5):
        assert float(bias[head, i, j]) == table[int(buckets[i, j]), head]


def test_without_keys_there_are_no_buckets() -> None:
    assert tl.relative_buckets(3, 0, like=LIKE).shape == (3, 0)


TABLE = np.ones((8, 2))


test_bad_input = refusals(
    ("offset must be an integer of 0 or more, got -4", lambda: tl.alibi_bias(3, 4, 2, offset=-4)),
    ("offset must be an integer of 0 or more", lambda: tl.relative_buckets(2, 3, offset=-5)),
    ("buckets must be an integer of 4 or more", lambda: tl.relative_buckets(1, 1, buckets=3)),
    (
        "max_distance must be an integer of 9 or more, got 8",
        lambda: tl.relative_buckets(1, 1, max_distance=8),
    ),
    ("buckets must be from 0 to 7", lambda: tl.relative_bias(TABLE, np.array([[8]]))),
    ("buckets must contain integers", lambda: tl.relative_bias(TABLE, np.ones((1, 1)))),
)
