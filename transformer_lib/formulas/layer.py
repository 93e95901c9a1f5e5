"""A layer: the order of its sub-layers, whatever functions they are."""

from collections.abc import Callable
from functools import partial

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, before_or_after
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.formulas.sublayer import sublayer_steps

Rows = Callable[[Array], Array]
"""A function from rows, (..., n, d_model), to rows like them: of numpy, or a module of torch."""


@checked(place=before_or_after)
def encoder_layer(
    X: Num[Operand, "... n d_model"],
    self_attention: Rows,
    feed_forward: Rows,
    norm_1: Rows,
    norm_2: Rows,
    *,
    place: str = "pre",
    dropout: Rows | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Let each row look at the others, then compute on its own.

    With `place` "post", X = norm_1(X + self_attention(X)), then X = norm_2(X + feed_forward(X));
    with "pre", X = X + self_attention(norm_1(X)), then X = X + feed_forward(norm_2(X)). A layer of
    a decoder that reads no encoder is this one, its self-attention under a causal mask.

    Args:
        X: the residual stream, (..., n, d_model).
        self_attention: from rows to rows, each of which may read all rows that its mask allows.
        feed_forward: from rows to rows, each on its own.
        norm_1: the norm of self-attention.
        norm_2: the norm of the feed-forward layer.
        place: "post" puts each norm after its sum, "pre" before its sub-layer.
        dropout: applied to what each sub-layer adds.
        record: told of "resid_pre", "attn_out", "resid_mid", "mlp_out" and "resid_post".

    Raises:
        ValueError: place is neither, or a function changes the shape of its rows.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> def same(rows): return rows
    >>> encoder_layer(np.array([[1.0, 2.0]]), same, same, same, same)
    array([[4., 8.]])
    """
    run = partial(sublayer_steps.formula, place=place, dropout=dropout)
    record("resid_pre", X)
    attended = run(X, self_attention, norm_1)
    record("attn_out", attended.change)
    record("resid_mid", attended.output)
    fed = run(attended.output, feed_forward, norm_2)
    record("mlp_out", fed.change)
    record("resid_post", fed.output)
    return fed.output


@checked(place=before_or_after)
def decoder_layer(
    X: Num[Operand, "... n d_model"],
    self_attention: Rows,
    cross_attention: Rows,
    feed_forward: Rows,
    norm_1: Rows,
    norm_2: Rows,
    norm_3: Rows,
    *,
    place: str = "pre",
    dropout: Rows | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Let each row look at the rows before it, then at the encoder's, then compute on its own.

    As `encoder_layer`, with X = norm_2(X + cross_attention(X)) between the two steps, or with
    X = X + cross_attention(norm_2(X)) where norms come first.

    Args:
        X: the residual stream, (..., n, d_model).
        self_attention: from rows to rows, under a causal mask.
        cross_attention: from rows to rows, each of which reads the encoder's output.
        feed_forward: from rows to rows, each on its own.
        norm_1: the norm of self-attention.
        norm_2: the norm of cross-attention.
        norm_3: the norm of the feed-forward layer.
        place: "post" puts each norm after its sum, "pre" before its sub-layer.
        dropout: applied to what each sub-layer adds.
        record: told of what `encoder_layer` names, of "cross_attn_out" and of "resid_mid_cross".

    Raises:
        ValueError: as `encoder_layer`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> def same(rows): return rows
    >>> decoder_layer(np.array([[1.0, 2.0]]), *[same] * 6)
    array([[ 8., 16.]])
    """
    run = partial(sublayer_steps.formula, place=place, dropout=dropout)
    record("resid_pre", X)
    attended = run(X, self_attention, norm_1)
    record("attn_out", attended.change)
    record("resid_mid", attended.output)
    read = run(attended.output, cross_attention, norm_2)
    record("cross_attn_out", read.change)
    record("resid_mid_cross", read.output)
    fed = run(read.output, feed_forward, norm_3)
    record("mlp_out", fed.change)
    record("resid_post", fed.output)
    return fed.output
