"""Multi-head attention: several attentions side by side, each on its own projections."""

import functools
import math
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from jaxtyping import Bool, Float, Int, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import AttentionSteps, attention_unchecked, check_mask
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import linear_unchecked
from transformer_lib.formulas.multi_head_checks import check_multi_head, check_past
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.rotary import rotary_unchecked

Attend = Callable[..., AttentionSteps]
Extend = Callable[[Array, Array], tuple[Array, Array]]
"""From the keys and values of new rows to those of all rows."""


class MultiHeadSteps(NamedTuple):
    """The steps of multi-head attention in order; those with an axis h keep each head apart."""

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


def split_heads(X: Num[Operand, "... n width"], h: int) -> Num[Array, "... h n width_of_head"]:
    """Cut the columns into h equal groups, one per head: (..., n, h * d) becomes (..., h, n, d).

    Raises:
        ValueError: X is not an array with at least two axes, or its width is not a multiple of h.

    Source: Vaswani et al. (2017), section 3.2.2.

    >>> import numpy as np
    >>> split_heads(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 2)[1]
    array([[3, 4],
           [7, 8]])
    """
    xp = checks.namespace(X=X)
    checks.at_least_rank(2, X=X)
    checks.count(1, h=h)
    if X.shape[-1] % h:
        raise ValueError(f"X must have a width that {h} heads can share, got {checks.shape_of(X)}")
    return split_heads_unchecked(xp, X, h)


def split_heads_unchecked(xp: ModuleType, X: Array, h: int) -> Array:
    """Compute `split_heads` of an array that a caller has checked."""
    grouped = xp.reshape(X, (*X.shape[:-1], h, X.shape[-1] // h))
    return grouped.swapaxes(-2, -3)


def merge_heads(X: Num[Operand, "... h n d"]) -> Num[Array, "... n width"]:
    """Put the heads' columns side by side again: (..., h, n, d) becomes (..., n, h * d).

    Raises:
        ValueError: X is not an array with at least three axes.

    Source: Vaswani et al. (2017), section 3.2.2, "Concat".

    >>> import numpy as np
    >>> merge_heads(np.array([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]))
    array([[1, 2, 3, 4],
           [5, 6, 7, 8]])
    """
    xp = checks.namespace(X=X)
    checks.at_least_rank(3, X=X)
    return merge_heads_unchecked(xp, X)


def merge_heads_unchecked(xp: ModuleType, X: Array) -> Array:
    """Compute `merge_heads` of an array that a caller has checked."""
    side_by_side = X.swapaxes(-3, -2)
    return xp.reshape(side_by_side, (*side_by_side.shape[:-2], X.shape[-3] * X.shape[-1]))


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
    positions: Int[Operand, "..."] | None = None,
    past: tuple[Array, Array] | None = None,
    attend: Attend | None = None,
) -> MultiHeadSteps:
    """Let the rows of X attend to the rows of M in h heads, and keep every step.

    Self-attention is M = X, masked self-attention the same with a mask, and cross-attention has the
    decoder's rows in X and the encoder's in M.

    Args:
        X: the rows that ask, (..., n_q, d_model).
        M: the rows that are asked, (..., n_m, d_memory).
        W_Q: weights of the queries, (d_model, h * d_k); head i uses the i-th group of d_k columns.
        W_K: weights of the keys, (d_memory, h_kv * d_k).
        W_V: weights of the values, (d_memory, h_kv * d_v).
        W_O: weights of the output, (h * d_v, d_out).
        mask: boolean, the same for every head, broadcasts to (..., n_q, n_k), True = may be
            attended.
        h: the number of heads.
        h_kv: the number of heads of keys and values, h unless given; it divides h, and each group
            of h / h_kv heads, side by side, shares one.
        b_Q: bias of the queries, (h * d_k,), or None; b_K, b_V and b_O likewise.
        b_K: bias of the keys.
        b_V: bias of the values.
        b_O: bias of the output.
        bias: added to the scaled scores of each head, broadcasts to (..., h, n_q, n_k).
        divisor: what the scores are divided by; sqrt(d_k) unless given, 1 for no scaling.
        rotary_base: turn queries and keys by their positions with this base.
        rotary_halves: which columns make a pair then, see `rotary`.
        positions: those of the rows of X and M, (..., n_q), which count from n_past unless given.
        past: keys and values of earlier rows, each (..., h_kv, n_past, d), which M continues: then
            n_k is n_past + n_m, and the positions of X and M count on from n_past.
        attend: what computes each head in the place of `attention_steps`, with its arguments.

    Raises:
        ValueError: an argument is not an array of real numbers, shapes do not fit, a width is not a
            multiple of its heads, h is not a multiple of h_kv, or as `attention_steps`.

    Source: Vaswani et al. (2017), section 3.2.2; Ainslie et al. (2023), section 2.2 (groups).

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> multi_head_attention_steps(I, I, I, I, I, I, np.eye(2, dtype=bool), h=2).output
    array([[1., 0.],
           [0., 1.]])
    """
    checks.namespace(X=X, **checks.given(mask=mask, bias=bias))
    rows = {"X": X, "M": M}
    weights = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    biases = checks.given(b_Q=b_Q, b_K=b_K, b_V=b_V, b_O=b_O)
    h_kv = h if h_kv is None else h_kv
    xp, floats = check_multi_head({**rows, **weights, **biases}, h, h_kv)
    shape = check_past(past, **floats, h=h, h_kv=h_kv)
    check_mask(xp, shape, _for_heads(mask))
    if bias is not None:
        _, bias = checks.real(xp, X=floats["X"], bias=bias)
        checks.broadcasts_to(shape, bias=bias)
    checks.positive(**checks.given(rotary_base=rotary_base, divisor=divisor))
    return multi_head_unchecked(
        xp,
        **floats,
        h=h,
        h_kv=h_kv,
        mask=mask,
        bias=bias,
        divisor=divisor,
        rotary_base=rotary_base,
        rotary_halves=rotary_halves,
        positions=positions,
        offset=0 if past is None else past[0].shape[-2],
        extend=None if past is None else functools.partial(_after, xp, past),
        attend=attend,
    )


def multi_head_unchecked(
    xp: ModuleType,
    X: Array,
    M: Array,
    W_Q: Array,
    W_K: Array,
    W_V: Array,
    W_O: Array,
    b_Q: Array | None = None,
    b_K: Array | None = None,
    b_V: Array | None = None,
    b_O: Array | None = None,
    *,
    h: int,
    h_kv: int,
    mask: Array | None = None,
    bias: Array | None = None,
    divisor: float | None = None,
    rotary_base: float | None = None,
    rotary_halves: bool = False,
    positions: Array | None = None,
    offset: int = 0,
    extend: Extend | None = None,
    attend: Attend | None = None,
) -> MultiHeadSteps:
    """Compute `multi_head_attention_steps` of floats whose shapes a caller has checked.

    `offset` is the position of the first row, and `extend` puts the past before keys and values.
    """
    Q = split_heads_unchecked(xp, linear_unchecked(X, W_Q, b_Q), h)
    K = split_heads_unchecked(xp, linear_unchecked(M, W_K, b_K), h_kv)
    V = split_heads_unchecked(xp, linear_unchecked(M, W_V, b_V), h_kv)
    if rotary_base is not None:
        turn = functools.partial(_turned, xp, positions, offset, rotary_base, rotary_halves)
        Q, K = turn(Q), turn(K)
    if extend is not None:
        K, V = extend(K, V)
    for_each = [_shared(xp, x, h // h_kv) for x in (K, V)]
    if attend is None:
        divisor = math.sqrt(Q.shape[-1]) if divisor is None else divisor
        attend = functools.partial(attention_unchecked, xp)
    steps = attend(Q, *for_each, _for_heads(mask), bias=bias, **checks.given(divisor=divisor))
    concatenated = merge_heads_unchecked(xp, steps.output)
    output = linear_unchecked(concatenated, W_O, b_O)
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


def _turned(
    xp: ModuleType, positions: Array | None, offset: int, base: float, halves: bool, X: Array
) -> Array:
    if positions is None:
        positions = xp.arange(offset, offset + X.shape[-2], device=X.device)
    else:
        positions = positions[..., None, :]  # one position for all heads
    return rotary_unchecked(xp, X, positions, base, halves=halves)


def _after(xp: ModuleType, past: tuple[Array, Array], K: Array, V: Array) -> tuple[Array, Array]:
    return xp.concat([past[0], K], axis=-2), xp.concat([past[1], V], axis=-2)


def _shared(xp: ModuleType, X: Array, group: int) -> Array:
    """Give every head of a group the keys or values that the group shares."""
    return X if group == 1 else xp.repeat(X, group, axis=-3)


def _for_heads(mask: Array | None) -> Array | None:
    # A mask that all sequences share stays (n_q, n_k): torch's fused kernel refuses (1, n_q, n_k).
    return mask if mask is None or mask.ndim < 3 else mask[..., None, :, :]
