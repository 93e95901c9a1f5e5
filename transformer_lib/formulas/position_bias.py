"""Positions as a bias on the scores: ALiBi and the relative buckets of T5."""

import math
from typing import Any

import numpy as np
from jaxtyping import Float, Int, Num, Shaped

from transformer_lib.formulas import checks
from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import NUMPY, Array, library, natural, whole
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand


@checked(h=whole)
def alibi_slopes(h: int, *, like: Num[Operand, "..."] = NUMPY) -> Float[Array, " h"]:
    """Return one slope per head, a geometric sequence whose first term and ratio are 2^(-8 / h).

    If h is not a power of two, the sequence for the next lower power comes first, followed by every
    other slope of the sequence for twice that power.

    Raises:
        ValueError: h is not a positive integer, or `like` is not an array.

    Source: Press et al. (2022), section 3, and its footnote on other numbers of heads.

    >>> import numpy as np
    >>> alibi_slopes(2, like=np.empty(0)), alibi_slopes(3, like=np.empty(0))
    (array([0.0625    , 0.00390625]), array([0.0625    , 0.00390625, 0.25      ]))
    """
    power = 2 ** (h.bit_length() - 1)
    slopes = [2 ** (-8 * i / power) for i in range(1, power + 1)]
    slopes += [2 ** (-4 * i / power) for i in range(1, 2 * (h - power), 2)]
    return library(like).asarray(slopes, dtype=like.dtype, device=like.device)


@checked(n_q=natural, n_k=natural, h=whole, offset=natural)
@in_float32
def alibi_bias(
    n_q: int, n_k: int, h: int, *, like: Num[Operand, "..."] = NUMPY, offset: int = 0
) -> Float[Array, "h n_q n_k"]:
    """Return the bias that lowers each score in proportion to the distance, with a slope per head.

    Args:
        n_q: the number of queries.
        n_k: the number of keys, at positions 0 to n_k - 1.
        h: the number of heads.
        like: any array, numpy by default; the result is created in its library and on its device,
            in its dtype if that is a float dtype.
        offset: the position of the first query.

    Raises:
        ValueError: a number is not an integer or is too small, or `like` is not an array.

    Source: Press et al. (2022), section 3. The paper is causal; here, keys to the right get the
    same bias by distance.

    >>> import numpy as np
    >>> alibi_bias(2, 2, 1, like=np.empty(0)) * 256
    array([[[-0., -1.],
            [-1., -0.]]])
    """
    xp = library(like)
    slopes = alibi_slopes.formula(h, like=like)
    distance = xp.abs(_relative_positions(n_q, n_k, like=like, offset=offset))
    return -slopes[:, None, None] * xp.astype(distance, slopes.dtype)


def _counts_fit(buckets: int, max_distance: int, bidirectional: bool, **_: Any) -> None:
    sides = 2 if bidirectional else 1
    checks.count(2 * sides, buckets=buckets)
    checks.count(buckets // sides // 2 + 1, max_distance=max_distance)


@checked(_counts_fit, n_q=natural, n_k=natural, offset=natural)
def relative_buckets(
    n_q: int,
    n_k: int,
    *,
    like: Shaped[Operand, "..."] = NUMPY,
    bidirectional: bool = True,
    buckets: int = 32,
    max_distance: int = 128,
    offset: int = 0,
) -> Int[Array, "n_q n_k"]:
    """Assign every pair of query and key to a bucket by the distance of the key from the query.

    Half of the buckets contain one distance each. The other half grow in proportion to the distance
    up to `max_distance`, and the last bucket contains all larger distances. With `bidirectional`,
    the first half of all buckets is for keys at or before the query and the second half for keys
    after it; otherwise, all keys after the query are in bucket 0. Halves are rounded down.

    Args:
        n_q: the number of queries.
        n_k: the number of keys, at positions 0 to n_k - 1.
        like: any array, numpy by default; the result is created in its library and on its device.
        bidirectional: whether keys after the query have buckets of their own.
        buckets: the number of buckets, 4 or more (2 or more if not bidirectional).
        max_distance: the distance from which all larger distances share one bucket.
        offset: the position of the first query.

    Raises:
        ValueError: a number is not an integer or is too small, `max_distance` does not exceed the
            number of buckets with one distance each, or `like` is not an array.

    Source: Raffel et al. (2020), section 2.1, and the code released with it.

    >>> import numpy as np
    >>> relative_buckets(1, 6, like=np.empty(0), buckets=8, max_distance=4, offset=3)
    array([[3, 2, 1, 0, 5, 6]])
    """
    sides = 2 if bidirectional else 1
    a_side, exact = buckets // sides, buckets // sides // 2
    xp = library(like)
    ahead = _relative_positions(n_q, n_k, like=like, offset=offset)
    distance = xp.abs(ahead) if bidirectional else -xp.where(ahead > 0, 0, ahead)
    bucket = xp.zeros_like(distance)
    for first in _first_distances(a_side, exact, max_distance):
        bucket = bucket + xp.astype(distance >= first, bucket.dtype)
    return bucket + a_side * xp.astype(ahead > 0, bucket.dtype) if bidirectional else bucket


def _are_rows(table: Array, buckets: Array) -> None:
    checks.below(library(table), table.shape[0], buckets=buckets)


@checked(_are_rows)
def relative_bias(
    table: Num[Operand, "buckets h"], buckets: Int[Operand, "n_q n_k"]
) -> Float[Array, "h n_q n_k"]:
    """Look up the learned bias of every pair of query and key, for each head.

    Args:
        table: one learned number for every bucket and head, (buckets, h).
        buckets: what `relative_buckets` returns, (n_q, n_k).

    Raises:
        ValueError: table is not a matrix of real numbers, or buckets is not a matrix of integers
                that are row indices of the table.

    Source: Raffel et al. (2020), section 2.1.

    >>> import numpy as np
    >>> relative_bias(np.array([[0.5], [0.25]]), np.array([[0, 1]]))
    array([[[0.5 , 0.25]]])
    """
    xp = library(table)
    flat = xp.reshape(buckets, (-1,))
    # numpy's `take` refuses indices of 64 bits on a machine of 32, such as a browser's.
    rows = table[flat] if xp is np else xp.take(table, flat, axis=0)
    return xp.permute_dims(xp.reshape(rows, (*buckets.shape, table.shape[1])), (2, 0, 1))


def _relative_positions(n_q: int, n_k: int, *, like: Array, offset: int) -> Array:
    xp = library(like)
    queries = xp.arange(offset, offset + n_q, device=like.device)
    return xp.arange(n_k, device=like.device)[None, :] - queries[:, None]


def _first_distances(a_side: int, exact: int, max_distance: int) -> list[int]:
    """Return the smallest distance of bucket 1, of bucket 2 and so on."""
    ratio = max_distance / exact
    grown = [exact * ratio ** (j / (a_side - exact)) for j in range(a_side - exact)]
    # 32 may come out as 32.000000000000004, which must not become 33.
    return [*range(1, exact), *(math.ceil(first - 1e-9) for first in grown)]
