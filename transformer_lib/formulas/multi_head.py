"""Multi-head attention: several attentions side by side, each on its own projections."""

from collections.abc import Callable
from typing import NamedTuple

from jaxtyping import Bool, Float, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import AttentionSteps, attention_steps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import named_linear
from transformer_lib.formulas.rotary import rotary


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


def split_heads(X: Num[Array, "... n width"], h: int) -> Num[Array, "... h n width_of_head"]:
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
    grouped = xp.reshape(X, (*X.shape[:-1], h, X.shape[-1] // h))
    return xp.moveaxis(grouped, -2, -3)


def merge_heads(X: Num[Array, "... h n d"]) -> Num[Array, "... n width"]:
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
    side_by_side = xp.moveaxis(X, -3, -2)
    return xp.reshape(side_by_side, (*side_by_side.shape[:-2], X.shape[-3] * X.shape[-1]))


def multi_head_attention_steps(
    X: Num[Array, "... n_q d_model"],
    M: Num[Array, "... n_m d_memory"],
    W_Q: Num[Array, "d_model h_d_k"],
    W_K: Num[Array, "d_memory h_d_k"],
    W_V: Num[Array, "d_memory h_d_v"],
    W_O: Num[Array, "h_d_v d_out"],
    mask: Bool[Array, "..."] | None = None,
    *,
    h: int,
    b_Q: Num[Array, " h_d_k"] | None = None,
    b_K: Num[Array, " h_d_k"] | None = None,
    b_V: Num[Array, " h_d_v"] | None = None,
    b_O: Num[Array, " d_out"] | None = None,
    bias: Num[Array, "..."] | None = None,
    rotary_base: float | None = None,
    past: tuple[Array, Array] | None = None,
    attend: Callable[..., AttentionSteps] = attention_steps,
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
        past: keys and values of earlier rows, each (..., h, n_past, d), which M continues: then n_k
            is n_past + n_m, and the positions of X and M count on from n_past.
        attend: what computes each head, with the arguments and steps of `attention_steps`.

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
    Q = split_heads(named_linear(X=X, W_Q=W_Q, b_Q=b_Q), h)
    K = split_heads(named_linear(M=M, W_K=W_K, b_K=b_K), h)
    V = split_heads(named_linear(M=M, W_V=W_V, b_V=b_V), h)
    n_past = 0 if past is None else past[0].shape[-2]
    if rotary_base is not None:
        Q, K = (_turn(rows, n_past, rotary_base) for rows in (Q, K))
    if past is not None:
        K, V = _continue(past[0], past_K=K), _continue(past[1], past_V=V)
    steps = attend(Q, K, V, _for_heads(mask), bias=bias)
    concatenated = merge_heads(steps.output)
    output = named_linear(concatenated=concatenated, W_O=W_O, b_O=b_O)
    return MultiHeadSteps(Q, K, V, *steps, concatenated, output)


def multi_head_attention(
    X: Num[Array, "... n_q d_model"],
    M: Num[Array, "... n_m d_memory"],
    W_Q: Num[Array, "d_model h_d_k"],
    W_K: Num[Array, "d_memory h_d_k"],
    W_V: Num[Array, "d_memory h_d_v"],
    W_O: Num[Array, "h_d_v d_out"],
    mask: Bool[Array, "..."] | None = None,
    *,
    h: int,
    **options: Array,
) -> Float[Array, "... n_q d_out"]:
    """Return the output of `multi_head_attention_steps`, which has the same arguments.

    Raises:
        ValueError: as `multi_head_attention_steps`.

    Source: Vaswani et al. (2017), section 3.2.2.

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> multi_head_attention(I, I, I, I, I, 2 * I, np.eye(2, dtype=bool), h=1)
    array([[2., 0.],
           [0., 2.]])
    """
    return multi_head_attention_steps(X, M, W_Q, W_K, W_V, W_O, mask, h=h, **options).output


def _turn(rows: Array, first: int, base: float) -> Array:
    xp = checks.namespace(rows=rows)
    return rotary(rows, xp.arange(first, first + rows.shape[-2], device=rows.device), base=base)


def _continue(past: Array, **new: Array) -> Array:
    ((name, rows),) = new.items()
    xp = checks.namespace(**{name: past}, rows=rows)
    expected = (*rows.shape[:-2], past.shape[-2], rows.shape[-1])
    checks.exact_shape(expected, **{name: past})
    return xp.concat([past, rows], axis=-2)


def _for_heads(mask: Array | None) -> Array | None:
    return mask if mask is None or mask.ndim < 2 else mask[..., None, :, :]
