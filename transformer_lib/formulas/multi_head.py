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
from transformer_lib.formulas.linear import check_linear, linear_unchecked
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.rotary import rotary_unchecked

Attend = Callable[..., AttentionSteps]


class MultiHeadSteps(NamedTuple):
    """The steps of multi-head attention in order; those with an axis h keep each head apart."""

    Q: Array  # (..., h, n_q, d_k)
    K: Array  # (..., h, n_k, d_k)
    V: Array  # (..., h, n_k, d_v)
    scores: Array  # (..., h, n_q, n_k), as the next three
    scaled: Array
    masked: Array
    weights: Array
    heads: Array  # (..., h, n_q, d_v)
    concatenated: Array  # (..., n_q, h * d_v)
    output: Array  # (..., n_q, d_model)


def split_heads(X: Num[Operand, "... n width"], h: int) -> Num[Array, "... h n width_of_head"]:
    """Cut the columns into h equal groups, one a head: (..., n, h * d) becomes (..., h, n, d).

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
    W_K: Num[Operand, "d_memory h_d_k"],
    W_V: Num[Operand, "d_memory h_d_v"],
    W_O: Num[Operand, "h_d_v d_out"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    h: int,
    b_Q: Num[Operand, " h_d_k"] | None = None,
    b_K: Num[Operand, " h_d_k"] | None = None,
    b_V: Num[Operand, " h_d_v"] | None = None,
    b_O: Num[Operand, " d_out"] | None = None,
    bias: Num[Operand, "..."] | None = None,
    rotary_base: float | None = None,
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
        W_K: weights of the keys, (d_memory, h * d_k).
        W_V: weights of the values, (d_memory, h * d_v).
        W_O: weights of the output, (h * d_v, d_out).
        mask: boolean, the same for every head, broadcasts to (..., n_q, n_k), True = may be
            attended.
        h: the number of heads.
        b_Q: bias of the queries, (h * d_k,), or None; b_K, b_V and b_O likewise.
        b_K: bias of the keys.
        b_V: bias of the values.
        b_O: bias of the output.
        bias: added to the scaled scores of each head, broadcasts to (..., h, n_q, n_k).
        rotary_base: turn queries and keys by their positions with this base.
        positions: those of the rows of X and M, (..., n_q), which count from n_past unless given.
        past: keys and values of earlier rows, each (..., h, n_past, d), which M continues: then n_k
            is n_past + n_m, and the positions of X and M count on from n_past.
        attend: what computes each head in the place of `attention_steps`, with its arguments.

    Raises:
        ValueError: an argument is not an array of real numbers, shapes do not fit, a width is not a
            multiple of h, or as `attention_steps`.

    Source: Vaswani et al. (2017), section 3.2.2.

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
    xp, floats = _checked({**rows, **weights, **biases}, h)
    shape = _check_past(past, **floats, h=h)
    check_mask(xp, shape, _for_heads(mask))
    if bias is not None:
        _, bias = checks.real(xp, X=floats["X"], bias=bias)
        checks.broadcasts_to(shape, bias=bias)
    if rotary_base is not None:
        checks.positive(rotary_base=rotary_base)
    return multi_head_unchecked(
        xp,
        **floats,
        h=h,
        mask=mask,
        bias=bias,
        rotary_base=rotary_base,
        positions=positions,
        past=past,
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
    mask: Array | None = None,
    bias: Array | None = None,
    rotary_base: float | None = None,
    positions: Array | None = None,
    past: tuple[Array, Array] | None = None,
    attend: Attend | None = None,
) -> MultiHeadSteps:
    """Compute `multi_head_attention_steps` of floats whose shapes a caller has checked."""
    Q = split_heads_unchecked(xp, linear_unchecked(X, W_Q, b_Q), h)
    K = split_heads_unchecked(xp, linear_unchecked(M, W_K, b_K), h)
    V = split_heads_unchecked(xp, linear_unchecked(M, W_V, b_V), h)
    if rotary_base is not None:
        Q, K = _turned(xp, Q, K, rotary_base, positions, past)
    if past is not None:
        K, V = (xp.concat(pair, axis=-2) for pair in zip(past, (K, V), strict=True))
    attend = attend or functools.partial(attention_unchecked, xp, divisor=math.sqrt(Q.shape[-1]))
    steps = attend(Q, K, V, _for_heads(mask), bias=bias)
    concatenated = merge_heads_unchecked(xp, steps.output)
    output = linear_unchecked(concatenated, W_O, b_O)
    return MultiHeadSteps(Q, K, V, *steps, concatenated, output)


def multi_head_attention(
    X: Num[Operand, "... n_q d_model"],
    M: Num[Operand, "... n_m d_memory"],
    W_Q: Num[Operand, "d_model h_d_k"],
    W_K: Num[Operand, "d_memory h_d_k"],
    W_V: Num[Operand, "d_memory h_d_v"],
    W_O: Num[Operand, "h_d_v d_out"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    h: int,
    **options: Array,
) -> Float[Array, "... n_q d_out"]:
    """Return the output of `multi_head_attention_steps`, with the same arguments."""
    return multi_head_attention_steps(X, M, W_Q, W_K, W_V, W_O, mask, h=h, **options).output


def _turned(
    xp: ModuleType,
    Q: Array,
    K: Array,
    base: float,
    positions: Array | None,
    past: tuple[Array, Array] | None,
) -> tuple[Array, Array]:
    if positions is None:
        first = 0 if past is None else past[0].shape[-2]
        of_Q, of_K = (xp.arange(first, first + x.shape[-2], device=x.device) for x in (Q, K))
    else:
        of_Q = of_K = positions[..., None, :]  # one position for all heads
    return rotary_unchecked(xp, Q, of_Q, base), rotary_unchecked(xp, K, of_K, base)


def _for_heads(mask: Array | None) -> Array | None:
    # A mask that all sequences share stays (n_q, n_k): torch's fused kernel refuses (1, n_q, n_k).
    return mask if mask is None or mask.ndim < 3 else mask[..., None, :, :]


def _checked(arrays: dict[str, Array], h: int) -> tuple[ModuleType, dict[str, Array]]:
    """Return the library of the named arrays, and all of them as floats of one dtype."""
    xp = checks.namespace(**arrays)
    checks.count(1, h=h)
    floats = dict(zip(arrays, checks.real(xp, **arrays), strict=True))
    checks.at_least_rank(2, X=floats["X"], M=floats["M"])
    for rows, letter in (("X", "Q"), ("M", "K"), ("M", "V")):
        names = (rows, f"W_{letter}", f"b_{letter}")
        check_linear(" ".join(names), floats[rows], floats[names[1]], floats.get(names[2]))
        width = floats[names[1]].shape[1]
        if width % h or width == 0:
            raise ValueError(f"{names[1]} must have a width that {h} heads can share, got {width}")
    checks.same_length(-1, "columns (h d_k)", "W_Q W_K", floats["W_Q"], floats["W_K"])
    check_linear("W_V W_O b_O", floats["W_V"], floats["W_O"], floats.get("b_O"))
    return xp, floats


def _check_past(
    past: tuple[Array, Array] | None, X: Array, M: Array, W_K: Array, W_V: Array, h: int, **_: Array
) -> tuple[int, ...]:
    """Return the shape of the scores, or raise ValueError where the past does not fit."""
    batch, n_past = checks.batch_shape(X=X, M=M), 0
    if past is not None:
        n_past = past[0].shape[-2]
        for name, array, W in (("past_K", past[0], W_K), ("past_V", past[1], W_V)):
            checks.namespace(M=M, **{name: array})
            checks.exact_shape((*M.shape[:-2], h, n_past, W.shape[1] // h), **{name: array})
    return (*batch, h, X.shape[-2], n_past + M.shape[-2])
