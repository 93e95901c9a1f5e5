"""A Transformer block: X = X + attention(norm(X)), then X = X + f(norm(X) W_1 + b_1) W_2 + b_2.

These are the equations of pre-norm. In post-norm, X = norm(X + attention(X)), and then the same
holds for the feed-forward network.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from jaxtyping import Float, Num

from transformer_lib.formulas.activation import relu, silu
from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, before_or_after, exact_shape
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore, passed

Rows = Callable[[Array], Array]
"""A function of rows, (..., n, d_model), that returns rows of that shape: numpy or torch."""


class FeedForwardSteps(NamedTuple):
    """The steps of a feed-forward layer in order."""

    hidden: Array  # (..., d_ff)
    activated: Array  # (..., d_ff)
    output: Array  # (..., d_model)


class SwiGLUSteps(NamedTuple):
    """The steps of a gated feed-forward layer in order, for any activation function f."""

    gate: Array  # (..., d_ff)
    hidden: Array  # (..., d_ff)
    activated: Array  # f(gate) * hidden
    output: Array  # (..., d_model)


@checked()
def feed_forward_steps(
    X: Num[Operand, "... d_model"],
    W_1: Num[Operand, "d_model d_ff"],
    W_2: Num[Operand, "d_ff d_out"],
    b_1: Num[Operand, " d_ff"] | None = None,
    b_2: Num[Operand, " d_out"] | None = None,
    *,
    activation: Callable[[Array], Array] = relu,
) -> FeedForwardSteps:
    """Compute f(X W_1 + b_1) W_2 + b_2 and keep every step.

    Args:
        X: rows, (..., d_model).
        W_1: first weights, (d_model, d_ff).
        W_2: second weights, (d_ff, d_out).
        b_1: first bias, (d_ff,), or None.
        b_2: second bias, (d_out,), or None.
        activation: the function f, applied entry by entry.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Vaswani et al. (2017), section 3.3, equation 2.

    >>> import numpy as np
    >>> W_1, W_2 = np.array([[1.0, -1.0]]), np.array([[2.0], [5.0]])
    >>> feed_forward_steps(np.array([[3.0]]), W_1, W_2)
    FeedForwardSteps(hidden=array([[ 3., -3.]]), activated=array([[3., 0.]]), output=array([[6.]]))
    """
    hidden = linear.formula(X, W_1, b_1)
    activated = activation(hidden)
    return FeedForwardSteps(hidden, activated, linear.formula(activated, W_2, b_2))


def feed_forward(
    X: Num[Operand, "... d_model"],
    W_1: Num[Operand, "d_model d_ff"],
    W_2: Num[Operand, "d_ff d_out"],
    b_1: Num[Operand, " d_ff"] | None = None,
    b_2: Num[Operand, " d_out"] | None = None,
    *,
    activation: Callable[[Array], Array] = relu,
) -> Float[Array, "... d_out"]:
    """Return f(X W_1 + b_1) W_2 + b_2; arguments and errors are those of `feed_forward_steps`."""
    return feed_forward_steps(X, W_1, W_2, b_1, b_2, activation=activation).output


@checked()
def swiglu_steps(
    X: Num[Operand, "... d_model"],
    W_gate: Num[Operand, "d_model d_ff"],
    W_1: Num[Operand, "d_model d_ff"],
    W_2: Num[Operand, "d_ff d_out"],
    *,
    activation: Callable[[Array], Array] = silu,
) -> SwiGLUSteps:
    """Compute (silu(X W_gate) * (X W_1)) W_2 and keep every step.

    Another `activation` gives another gated layer: gelu gives GEGLU, and gelu_tanh gives the layer
    of T5 1.1.

    Args:
        X: rows, (..., d_model).
        W_gate: weights of the gate, (d_model, d_ff).
        W_1: weights of the values that the gate multiplies, (d_model, d_ff).
        W_2: weights of the output, (d_ff, d_out).
        activation: the activation function of the gate, applied entry by entry.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Shazeer (2020), section 2, equations 5 and 6.

    >>> import numpy as np
    >>> one = np.array([[1.0]])
    >>> swiglu_steps(one, np.log([[3.0]]), 2 * one, one).activated.round(4)
    array([[1.6479]])
    """
    gate, hidden = X @ W_gate, X @ W_1
    activated = activation(gate) * hidden
    return SwiGLUSteps(gate, hidden, activated, activated @ W_2)


def swiglu(
    X: Num[Operand, "... d_model"],
    W_gate: Num[Operand, "d_model d_ff"],
    W_1: Num[Operand, "d_model d_ff"],
    W_2: Num[Operand, "d_ff d_out"],
    *,
    activation: Callable[[Array], Array] = silu,
) -> Float[Array, "... d_out"]:
    """Return (silu(X W_gate) * (X W_1)) W_2; arguments and errors are those of `swiglu_steps`."""
    return swiglu_steps(X, W_gate, W_1, W_2, activation=activation).output


class SublayerSteps(NamedTuple):
    """The steps of a sub-layer with its residual connection and norm, in order."""

    entered: Array  # what the sub-layer was given
    change: Array  # what it adds
    summed: Array  # the residual: X plus that
    output: Array


@checked()
def residual(X: Num[Operand, "*shape"], change: Num[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Add the output of a sub-layer to its input.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes differ.

    Source: He et al. (2016), section 3.1; Vaswani et al. (2017), section 3.1.

    >>> import numpy as np
    >>> residual(np.array([1.0, 2.0]), np.array([0.5, 0.5]))
    array([1.5, 2.5])
    """
    return X + change


@checked(place=before_or_after)
def sublayer_steps(
    X: Num[Operand, "... d_model"],
    f: Callable[[Array], Array],
    norm: Callable[[Array], Array],
    place: str = "pre",
    *,
    dropout: Callable[[Array], Array] | None = None,
) -> SublayerSteps:
    """Apply a sub-layer f with its residual connection and norm, and keep every step.

    The norm is applied either before f, X + f(norm(X)), or after the sum, norm(X + f(X)).

    Args:
        X: rows, (..., d_model).
        f: the sub-layer, which returns rows with the shape of X.
        norm: the normalization.
        place: "pre" or "post".
        dropout: applied to the output of f before it is added.

    Raises:
        ValueError: X is not an array of real numbers, place is not "pre" or "post", or f changes
            the shape.

    Source: Vaswani et al. (2017), section 3.1 (post); Xiong et al. (2020), section 3 (both).

    >>> import numpy as np
    >>> steps = sublayer_steps(np.array([1.0, 3.0]), lambda x: 2 * x, lambda x: x - 2, "pre")
    >>> steps.entered, steps.change, steps.output
    (array([-1.,  1.]), array([-2.,  2.]), array([-1.,  5.]))
    """
    entered = norm(X) if place == "pre" else X
    change = f(entered) if dropout is None else dropout(f(entered))
    exact_shape(tuple(X.shape), change=change)
    summed = X + change
    output = norm(summed) if place == "post" else summed
    return SublayerSteps(entered, change, summed, output)


def sublayer(
    X: Num[Operand, "... d_model"],
    f: Callable[[Array], Array],
    norm: Callable[[Array], Array],
    place: str = "pre",
    *,
    dropout: Callable[[Array], Array] | None = None,
) -> Float[Array, "... d_model"]:
    """Return X + f(norm(X)) for "pre" or norm(X + f(X)) for "post", as `sublayer_steps` does."""
    return sublayer_steps(X, f, norm, place, dropout=dropout).output


def _named(record: Record, dropout: Rows | None, name: str) -> Rows | None:
    """Return what happens to the output of a sub-layer before it is added."""
    if record is ignore:
        return dropout
    return lambda Y: passed(record, name, Y if dropout is None else dropout(Y))


class Sublayer(NamedTuple):
    """A sub-layer of a block, and the names under which a record sees what it does."""

    f: Rows
    norm: Rows
    adds: str  # the name of what it adds
    after: str  # and of the stream after it


def in_turn(
    X: Array,
    sublayers: Iterable[Sublayer],
    *,
    place: str = "pre",
    dropout: Rows | None = None,
    record: Record = ignore,
) -> Array:
    """Apply `sublayer_steps` to one sub-layer after another.

    Two make a layer of an encoder, or of a decoder alone, and three one of a decoder that reads.
    """
    X = passed(record, "resid_pre", X)
    for each in sublayers:
        last = _named(record, dropout, each.adds)
        steps = sublayer_steps.formula(X, each.f, each.norm, place, dropout=last)
        X = passed(record, each.after, steps.output)
    return X


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
    """Let each row attend to the other rows, then compute each row on its own.

    With `place` "post", X = norm_1(X + self_attention(X)), then X = norm_2(X + feed_forward(X));
    with "pre", X = X + self_attention(norm_1(X)), then X = X + feed_forward(norm_2(X)). With a
    causal mask on its self-attention, this is also the layer of a decoder without an encoder.

    Args:
        X: the residual stream, (..., n, d_model).
        self_attention: a function from rows to rows; each row may attend to all rows that its mask
            allows.
        feed_forward: a function from rows to rows that computes each row on its own.
        norm_1: the norm of self-attention.
        norm_2: the norm of the feed-forward layer.
        place: "post" puts each norm after its sum, "pre" before its sub-layer.
        dropout: applied to what each sub-layer adds.
        record: called with each name and value: "resid_pre", "attn_out", "resid_mid", "mlp_out" and
            "resid_post".

    Raises:
        ValueError: place is not "pre" or "post", or a function changes the shape of its rows.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> def same(rows): return rows
    >>> encoder_layer(np.array([[1.0, 2.0]]), same, same, same, same)
    array([[4., 8.]])
    """
    sublayers = [
        Sublayer(self_attention, norm_1, "attn_out", "resid_mid"),
        Sublayer(feed_forward, norm_2, "mlp_out", "resid_post"),
    ]
    return in_turn(X, sublayers, place=place, dropout=dropout, record=record)


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
    """Let each row attend to earlier rows, then to the encoder's rows, then compute it on its own.

    The steps are those of `encoder_layer` with one more between them:
    X = norm_2(X + cross_attention(X)) for "post" and X = X + cross_attention(norm_2(X)) for "pre".

    Args:
        X: the residual stream, (..., n, d_model).
        self_attention: a function from rows to rows, with a causal mask.
        cross_attention: a function from rows to rows; each row attends to the encoder's output.
        feed_forward: a function from rows to rows that computes each row on its own.
        norm_1: the norm of self-attention.
        norm_2: the norm of cross-attention.
        norm_3: the norm of the feed-forward layer.
        place: "post" puts each norm after its sum, "pre" before its sub-layer.
        dropout: applied to what each sub-layer adds.
        record: called with each name and value: the names of `encoder_layer`, "cross_attn_out" and
            "resid_mid_cross".

    Raises:
        ValueError: for the same reasons as `encoder_layer`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> def same(rows): return rows
    >>> decoder_layer(np.array([[1.0, 2.0]]), *[same] * 6)
    array([[ 8., 16.]])
    """
    sublayers = [
        Sublayer(self_attention, norm_1, "attn_out", "resid_mid"),
        Sublayer(cross_attention, norm_2, "cross_attn_out", "resid_mid_cross"),
        Sublayer(feed_forward, norm_3, "mlp_out", "resid_post"),
    ]
    return in_turn(X, sublayers, place=place, dropout=dropout, record=record)
