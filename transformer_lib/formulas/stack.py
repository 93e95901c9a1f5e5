"""The stacks run layers one after another, and only they apply the causal mask."""

from collections.abc import Callable, Iterable
from typing import Any

from jaxtyping import Bool, Float, Int, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, natural, whole
from transformer_lib.formulas.mask import causal_mask
from transformer_lib.formulas.operand import Operand

Layer = Callable[..., Array]
"""A layer takes rows and, as keyword arguments, the arguments that the stack was given."""


@checked()
def encoder_stack(
    X: Num[Operand, "... n d_model"],
    layers: Iterable[Layer],
    norm: Layer | None = None,
    *,
    mask: Bool[Operand, "..."] | None = None,
    bias: Num[Operand, "..."] | None = None,
    positions: Int[Operand, "..."] | None = None,
) -> Float[Array, "... n d_model"]:
    """Run layers in which every token may attend to all tokens.

    Args:
        X: embedded tokens, (..., n, d_model).
        layers: functions such as `layer(X, mask=mask, bias=bias)`, called only with arguments that
            are not None.
        norm: the final norm of a model that normalizes before its sub-layers.
        mask: broadcasts to (..., n, n), such as a padding mask, or None to attend to all.
        bias: added to the scores of self-attention, broadcasts to (..., h, n, n), or None.
        positions: rotary positions that are not counted from 0, (..., n), or None.

    Raises:
        ValueError: X or the mask is not an array, the mask is not boolean, or a layer raises it.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> encoder_stack(np.array([[1.0, 2.0]]), [lambda X: X + 1, lambda X: 3 * X])
    array([[6., 9.]])
    """
    shared = checks.given(mask=mask, bias=bias, positions=positions)
    for layer in layers:
        X = layer(X, **shared)
    return X if norm is None else norm(X)


def mask_joins(X: Array, mask: Array | None, n_past: int, **_: Any) -> None:
    """Raise ValueError unless a mask can be combined with the causal mask."""
    n = X.shape[-2]
    checks.broadcasts_to((*X.shape[:-1], n_past + n), **checks.given(mask=mask))


@checked(mask_joins, n_past=natural, window=whole)
def decoder_stack(
    X: Num[Operand, "... n d_model"],
    layers: Iterable[Layer],
    norm: Layer | None = None,
    *,
    memory: Num[Operand, "... n_memory d_model"] | None = None,
    mask: Bool[Operand, "..."] | None = None,
    memory_mask: Bool[Operand, "..."] | None = None,
    bias: Num[Operand, "..."] | None = None,
    positions: Int[Operand, "..."] | None = None,
    caches: Iterable[Any] | None = None,
    n_past: int = 0,
    window: int | None = None,
) -> Float[Array, "... n d_model"]:
    """Run layers that see only the past; the causal mask is applied here and nowhere else.

    Args:
        X: embedded tokens, (..., n, d_model).
        layers: functions such as `layer(X, memory=memory, mask=mask)`, called only with arguments
            that are not None.
        norm: the final norm of a model that normalizes before its sub-layers.
        memory: the output of the encoder, (..., n_memory, d_model), or None.
        mask: combined with the causal mask, broadcasts to (..., n, n_past + n), or None.
        memory_mask: the mask of cross-attention, broadcasts to (..., n, n_memory), or None.
        bias: added to the scores of self-attention, broadcasts to (..., h, n, n_past + n), or None.
        positions: rotary positions that are not counted from n_past, (..., n), or None.
        caches: for each layer, its cache of the rows before X, or None.
        n_past: the number of rows before X.
        window: the number of rows that each row may attend to, the last being the row itself, or
            None for all.

    Raises:
        ValueError: an argument is not an array, the mask is not boolean or does not fit, n_past is
            negative, window is not a positive integer, caches does not contain one cache for each
            layer, or a layer raises it.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> decoder_stack(np.array([[1.0], [2.0]]), [lambda X, mask: mask @ X])
    array([[1.],
           [3.]])
    """
    shared = checks.given(memory=memory, memory_mask=memory_mask)
    shared |= checks.given(bias=bias, positions=positions)
    n = X.shape[-2]
    causal = causal_mask.formula(n, offset=n_past, like=X, window=window)
    causal = causal if mask is None else causal & mask
    layers = list(layers)
    kept = [None] * len(layers) if caches is None else list(caches)
    if len(kept) != len(layers):
        raise ValueError(
            f"caches must be {len(layers)}, one per layer, got {len(kept)}",
        )
    for layer, cache in zip(layers, kept, strict=True):
        X = layer(X, mask=causal, **shared, **checks.given(cache=cache))
    return X if norm is None else norm(X)
