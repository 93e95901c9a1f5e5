"""Checks of multi-head attention that the shapes in its signature cannot express."""

from typing import Any

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


def for_heads(mask: Array | None) -> Array | None:
    """Return a mask that is the same for every head."""
    # A mask that all sequences share stays (n_q, n_k): torch's fused kernel refuses (1, n_q, n_k).
    return mask if mask is None or mask.ndim < 3 else mask[..., None, :, :]


def heads_share(X: Array, h: int) -> None:
    """Raise ValueError unless h heads can share the columns of X."""
    if X.shape[-1] % h:
        raise ValueError(
            f"X must have a last axis that {h} heads can share, got {checks.shape_of(X)}"
        )


def heads_fit(
    X: Array,
    M: Array,
    W_Q: Array,
    W_K: Array,
    W_V: Array,
    W_O: Array,
    mask: Array | None,
    *,
    h: int,
    h_kv: int | None,
    bias: Array | None,
    past: Any,
    **_: Any,
) -> None:
    """Raise ValueError unless dimensions fit the heads, and mask, bias and past fit the scores."""
    h_kv = h if h_kv is None else h_kv
    if h % h_kv:
        raise ValueError(f"h must be a multiple of h_kv, got {h} and {h_kv}")
    for name, W, heads in (("W_Q", W_Q, h), ("W_K", W_K, h_kv), ("W_V", W_V, h_kv)):
        width = W.shape[1]
        if width % heads or width == 0:
            raise ValueError(f"{name} must have a width that {heads} heads can share, got {width}")
    _widths_fit(h // h_kv, W_Q, W_K, W_V, W_O)
    n_past = 0
    if past is not None and not callable(past):
        n_past = past[0].shape[-2]
        for name, array, W in (("past_K", past[0], W_K), ("past_V", past[1], W_V)):
            checks.namespace(M=M, **{name: array})
            checks.exact_shape((*M.shape[:-2], h_kv, n_past, W.shape[1] // h_kv), **{name: array})
    batch = checks.batch_shape({"X": X.shape[:-2], "M": M.shape[:-2]}, X=X, M=M)
    shape = (*batch, h, X.shape[-2], n_past + M.shape[-2])
    if not callable(past):
        checks.broadcasts_to(shape, **checks.given(mask=for_heads(mask), bias=bias))


def _widths_fit(group: int, W_Q: Array, W_K: Array, W_V: Array, W_O: Array) -> None:
    """Raise ValueError unless the heads of keys and values have the dimensions of their readers."""
    over, times = ("", "") if group == 1 else (f", over {group}", f", times {group}")
    if W_Q.shape[1] != W_K.shape[1] * group:
        raise ValueError(
            f"W_K must have as many columns (h d_k) as W_Q{over}: "
            f"W_Q is {checks.shape_of(W_Q)}, W_K is {checks.shape_of(W_K)}"
        )
    if W_O.shape[0] != W_V.shape[1] * group:
        raise ValueError(
            f"W_O must have as many rows as W_V has columns{times}: "
            f"W_V is {checks.shape_of(W_V)}, W_O is {checks.shape_of(W_O)}"
        )
