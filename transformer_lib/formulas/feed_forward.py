"""The feed-forward layer: every row on its own goes through a wider layer and back."""

from collections.abc import Callable
from typing import NamedTuple

from jaxtyping import Float, Num

from transformer_lib.formulas.activation import relu, silu
from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.operand import Operand


class FeedForwardSteps(NamedTuple):
    """The steps of a feed-forward layer in order."""

    hidden: Array  # (..., d_ff)
    activated: Array  # (..., d_ff)
    output: Array  # (..., d_model)


class SwiGLUSteps(NamedTuple):
    """The steps of a gated feed-forward layer in order, whatever f its gate has."""

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
        activation: the function f, entry by entry.

    Raises:
        ValueError: an argument is not an array of real numbers, or shapes do not fit.

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
    """Return f(X W_1 + b_1) W_2 + b_2: the arguments, errors and output of `feed_forward_steps`."""
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

    With another `activation` it is another gated layer: GEGLU with gelu, the layer of T5 1.1 with
    gelu_tanh.

    Args:
        X: rows, (..., d_model).
        W_gate: weights of the gate, (d_model, d_ff).
        W_1: weights of what passes the gate, (d_model, d_ff).
        W_2: weights of the output, (d_ff, d_out).
        activation: of the gate, entry by entry.

    Raises:
        ValueError: an argument is not an array of real numbers, or shapes do not fit.

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
    """Return (silu(X W_gate) * (X W_1)) W_2: the arguments, errors and output of `swiglu_steps`."""
    return swiglu_steps(X, W_gate, W_1, W_2, activation=activation).output
