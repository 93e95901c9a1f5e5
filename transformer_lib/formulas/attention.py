"""Attention, softmax(Q K^T / sqrt(d_k)) V, with one head or with h heads and every step named."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from jaxtyping import Bool, Float, Int, Num, Shaped

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, columns, library, positive, whole
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.multi_head_checks import for_heads, heads_fit, heads_share
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore, one_by_one, passed
from transformer_lib.formulas.rotary import Turns, rotary
from transformer_lib.formulas.softmax import softmax


class AttentionSteps(NamedTuple):
    """The steps of attention in order; every step but the output has shape (..., n_q, n_k)."""

    scores: Array
    scaled: Array
    masked: Array
    weights: Array
    output: Array


@checked(Q=columns, mask="... n_q n_k", bias="... n_q n_k", divisor=positive)
@in_float32
def attention_steps(
    Q: Num[Operand, "... n_q d_k"],
    K: Num[Operand, "... n_k d_k"],
    V: Num[Operand, "... n_k d_v"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    bias: Num[Operand, "..."] | None = None,
    divisor: float | None = None,
) -> AttentionSteps:
    """Compute softmax(Q K^T / sqrt(d_k)) V and keep every step.

    Args:
        Q: queries, (..., n_q, d_k).
        K: keys, (..., n_k, d_k).
        V: values, (..., n_k, d_v).
        mask: boolean, broadcasts to (..., n_q, n_k); True means that the key may be attended to. A
            query that may not attend to any key gets weights and an output of 0.
        bias: added to the scaled scores before the mask, broadcasts to (..., n_q, n_k); ALiBi and
            T5 encode positions in it.
        divisor: the number by which the scores are divided, sqrt(d_k) by default; 1 means no
            scaling.

    Raises:
        ValueError: an argument is not an array of real numbers, the shapes are incompatible, the
            mask is not boolean, mask or bias does not broadcast, or the divisor is not positive and
            finite.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1.

    >>> import numpy as np
    >>> K = np.array([[np.log(3.0)], [0.0]])
    >>> steps = attention_steps(np.array([[1.0]]), K, np.array([[8.0], [4.0]]))
    >>> steps.weights, steps.output
    (array([[0.75, 0.25]]), array([[7.]]))
    """
    scores = Q @ K.mT
    scaled = scores / (math.sqrt(Q.shape[-1]) if divisor is None else divisor)
    biased = scaled if bias is None else scaled + bias
    masked = biased if mask is None else library(Q).where(mask, biased, -math.inf)
    weights = softmax.formula(masked)
    return AttentionSteps(scores, scaled, masked, weights, weights @ V)


def attention(
    Q: Num[Operand, "... n_q d_k"],
    K: Num[Operand, "... n_k d_k"],
    V: Num[Operand, "... n_k d_v"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    bias: Num[Operand, "..."] | None = None,
    divisor: float | None = None,
) -> Float[Array, "... n_q d_v"]:
    """Return softmax(Q K^T / sqrt(d_k)) V, the output of `attention_steps`; see its arguments."""
    return attention_steps(Q, K, V, mask, bias=bias, divisor=divisor).output


Attend = Callable[..., AttentionSteps]
Extend = Callable[[Array, Array], tuple[Array, Array]]
"""A function from the keys and values of the new rows to the keys and values of all rows."""


class MultiHeadSteps(NamedTuple):
    """The steps of multi-head attention in order; an axis h keeps the heads separate."""

    Q: Array  # (..., h, n_q, d_k)
    K: Array  # (..., h_kv, n_k, d_k): as many heads as queries, unless groups share them
    V: Array  # (..., h_kv, n_k, d_v)
    scores: Array  # (..., h, n_q, n_k), as the next three
    scaled: Array
    masked: Array
    weights: Array
    heads: Array  # (..., h, n_q, d_v)
    concatenated: Array  # (..., n_q, h * d_v)
    output: Array  # (..., n_q, d_model)


@checked(heads_share, h=whole)
def split_heads(
    X: Shaped[Operand, "... n width"], h: int
) -> Shaped[Array, "... h n width_of_head"]:
    """Split the columns into h equal groups, one per head: (..., n, h * d) becomes (..., h, n, d).

    Raises:
        ValueError: X is not an array with at least two axes, or the length of its last axis is not
            a multiple of h.

    Source: Vaswani et al. (2017), section 3.2.2.

    >>> import numpy as np
    >>> split_heads(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 2)[1]
    array([[3, 4],
           [7, 8]])
    """
    grouped = library(X).reshape(X, (*X.shape[:-1], h, X.shape[-1] // h))
    return grouped.swapaxes(-2, -3)


@checked()
def merge_heads(X: Shaped[Operand, "... h n d"]) -> Shaped[Array, "... n width"]:
    """Concatenate the columns of the heads again: (..., h, n, d) becomes (..., n, h * d).

    Raises:
        ValueError: X is not an array with at least three axes.

    Source: Vaswani et al. (2017), section 3.2.2, "Concat".

    >>> import numpy as np
    >>> merge_heads(np.array([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]))
    array([[1, 2, 3, 4],
           [5, 6, 7, 8]])
    """
    side_by_side = X.swapaxes(-3, -2)
    return library(X).reshape(side_by_side, (*side_by_side.shape[:-2], X.shape[-3] * X.shape[-1]))


@checked(heads_fit, h=whole, h_kv=whole, rotary_base=positive, divisor=positive)
def multi_head_attention_steps(
    X: Num[Operand, "... n_q d_model"],
    M: Num[Operand, "... n_m d_memory"],
    W_Q: Num[Operand, "d_model h_d_k"],
    W_K: Num[Operand, "d_memory h_kv_d_k"],
    W_V: Num[Operand, "d_memory h_kv_d_v"],
    W_O: Num[Operand, "h_d_v d_out"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    h: int,
    h_kv: int | None = None,
    b_Q: Num[Operand, " h_d_k"] | None = None,
    b_K: Num[Operand, " h_kv_d_k"] | None = None,
    b_V: Num[Operand, " h_kv_d_v"] | None = None,
    b_O: Num[Operand, " d_out"] | None = None,
    bias: Num[Operand, "..."] | None = None,
    divisor: float | None = None,
    rotary_base: float | None = None,
    rotary_halves: bool = False,
    positions: Int[Operand, "..."] | Turns | None = None,
    past: tuple[Array, Array] | Extend | None = None,
    attend: Attend | None = None,
    record: Record = ignore,
) -> MultiHeadSteps:
    """Let the rows of X attend to the rows of M in h heads and keep every step.

    In self-attention, M = X, and masked self-attention also has a mask. In cross-attention, X
    contains the rows of the decoder and M the rows of the encoder.

    Args:
        X: the rows that attend, (..., n_q, d_model); the queries are computed from them.
        M: the rows that are attended to, (..., n_m, d_memory).
        W_Q: weights of the queries, (d_model, h * d_k); head i uses the i-th group of d_k columns.
        W_K: weights of the keys, (d_memory, h_kv * d_k).
        W_V: weights of the values, (d_memory, h_kv * d_v).
        W_O: weights of the output, (h * d_v, d_out).
        mask: boolean, the same for every head, broadcasts to (..., n_q, n_k); True means that the
            key may be attended to.
        h: the number of heads.
        h_kv: the number of heads of keys and values, h by default; it divides h, and each group of
            h / h_kv adjacent heads shares one head of keys and values.
        b_Q: bias of the queries, (h * d_k,), or None; b_K, b_V and b_O likewise.
        b_K: bias of the keys.
        b_V: bias of the values.
        b_O: bias of the output.
        bias: added to the scaled scores of each head, broadcasts to (..., h, n_q, n_k).
        divisor: the number by which the scores are divided, sqrt(d_k) by default; 1 means no
            scaling.
        rotary_base: rotate queries and keys by angles that depend on their positions and this base.
        rotary_halves: how the columns are then paired; see `halves` in `rotary`.
        positions: the positions of the rows of X and M, (..., n_q), counted from n_past by default.
        past: the keys and values of earlier rows, each (..., h_kv, n_past, d), which M continues;
            n_k is then n_past + n_m, and the positions of X and M are counted from n_past. A
            function from the new keys and values to all of them may be given instead, together with
            positions.
        attend: the function that computes each head instead of `attention_steps`, with the same
            arguments.
        record: called with the name and value of each step; what it returns takes the place of the
            step, and the next steps are computed from that, unless it is None.

    Raises:
        ValueError: an argument is not an array of real numbers, the shapes are incompatible, a
            number of columns is not a multiple of the number of its heads, h is not a multiple of
            h_kv, or for a reason listed in `attention_steps`.

    Source: Vaswani et al. (2017), section 3.2.2; Ainslie et al. (2023), section 2.2 (groups).

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> multi_head_attention_steps(I, I, I, I, I, I, np.eye(2, dtype=bool), h=2).output
    array([[1., 0.],
           [0., 1.]])
    """
    Q = split_heads.formula(linear.formula(X, W_Q, b_Q), h)
    K = split_heads.formula(linear.formula(M, W_K, b_K), h_kv or h)
    V = split_heads.formula(linear.formula(M, W_V, b_V), h_kv or h)
    if rotary_base is not None:
        where = [_positions(positions, past, x) for x in (Q, K)]
        Q = rotary.formula(Q, where[0], base=rotary_base, halves=rotary_halves)
        K = rotary.formula(K, where[1], base=rotary_base, halves=rotary_halves)
    if past is not None:
        K, V = past(K, V) if callable(past) else _after(past, K, V)
    scaling = {} if divisor is None else {"divisor": divisor}
    attend = attend or attention_steps.formula
    attend = attend if K.shape[-3] == h else partial(_in_groups, attend)
    if record is not ignore:
        Q, K, V = (passed(record, name, X) for name, X in zip("QKV", (Q, K, V), strict=True))
        attend = partial(_recorded, attend, record)
    steps = attend(Q, K, V, for_heads(mask), bias=bias, **scaling)
    concatenated = merge_heads.formula(steps.output)
    if record is not ignore:
        concatenated = passed(record, "concatenated", concatenated)
    output = linear.formula(concatenated, W_O, b_O)
    return MultiHeadSteps(Q, K, V, *steps, concatenated, output)


def multi_head_attention(
    X: Num[Operand, "... n_q d_model"],
    M: Num[Operand, "... n_m d_memory"],
    W_Q: Num[Operand, "d_model h_d_k"],
    W_K: Num[Operand, "d_memory h_kv_d_k"],
    W_V: Num[Operand, "d_memory h_kv_d_v"],
    W_O: Num[Operand, "h_d_v d_out"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    h: int,
    **options: Array,
) -> Float[Array, "... n_q d_out"]:
    """Return the output of `multi_head_attention_steps`, with the same arguments."""
    return multi_head_attention_steps(X, M, W_Q, W_K, W_V, W_O, mask, h=h, **options).output


def _positions(positions: Array | None, past: Any, X: Array) -> Array:
    if isinstance(positions, Turns):
        return positions
    if positions is not None:
        return positions[..., None, :]  # one position for all heads
    n_past = 0 if past is None else past[0].shape[-2]
    return library(X).arange(n_past, n_past + X.shape[-2], device=X.device)


def _after(past: tuple[Array, Array], K: Array, V: Array) -> tuple[Array, Array]:
    xp = library(K)
    return xp.concat([past[0], K], axis=-2), xp.concat([past[1], V], axis=-2)


def _recorded(
    attend: Attend,
    record: Record,
    Q: Array,
    K: Array,
    V: Array,
    mask: Array | None,
    *,
    bias: Any,
    **scaling: Any,
) -> AttentionSteps:
    """Attend, and let a record replace each step."""
    divisor = scaling.get("divisor", math.sqrt(Q.shape[-1]))
    steps = attend(Q, K, V, mask, bias=bias, **scaling)
    follow = partial(_follow, mask=mask, bias=bias, divisor=divisor, V=V)

    def named(name: str, x: Array) -> Any:
        return record("heads" if name == "output" else name, x)

    found: AttentionSteps = one_by_one(named, steps, follow)
    return found


def _follow(
    name: str, steps: AttentionSteps, *, mask: Array | None, bias: Any, divisor: float, V: Array
) -> AttentionSteps:
    """Compute again what comes after one step of `attention_steps`."""
    after = AttentionSteps._fields.index(name)
    if after < 1:
        steps = steps._replace(scaled=steps.scores / divisor)
    if after < 2:
        biased = steps.scaled if bias is None else steps.scaled + bias
        masked = biased if mask is None else library(biased).where(mask, biased, -math.inf)
        steps = steps._replace(masked=masked)
    if after < 3:
        steps = steps._replace(weights=softmax.formula(steps.masked))
    if after < 4:
        shared = steps.weights.shape[-3] // V.shape[-3]
        values = V if shared == 1 else library(V).repeat(V, shared, axis=-3)
        steps = steps._replace(output=steps.weights @ values)
    return steps


def _in_groups(
    attend: Attend, Q: Array, K: Array, V: Array, mask: Array | None, *, bias: Any, **scaling: Any
) -> AttentionSteps:
    """Attend where each group of heads shares keys and values."""
    *batch, h, n, d = Q.shape
    xp, h_kv, n_k = library(Q), K.shape[-3], K.shape[-2]
    if n != 1:
        K, V = (xp.repeat(X, h // h_kv, axis=-3) for X in (K, V))
        return attend(Q, K, V, mask, bias=bias, **scaling)
    # Of one row, the heads of a group stand side by side as rows, so no key need be copied.
    if bias is not None:
        bias = xp.broadcast_to(bias, (*bias.shape[:-3], h, 1, n_k))
        bias = xp.reshape(bias, (*bias.shape[:-3], h_kv, h // h_kv, n_k))
    rows = xp.reshape(Q, (*batch, h_kv, h // h_kv, d))
    steps = attend(rows, K, V, mask, bias=bias, **scaling)
    apart = (x if x is None else xp.reshape(x, (*batch, h, 1, x.shape[-1])) for x in steps)
    return AttentionSteps(*apart)
