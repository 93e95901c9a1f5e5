"""One step of an RNN and of an LSTM, the recurrent cells of the models before the Transformer."""

from typing import NamedTuple

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, library
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.operand import Operand


class LSTMSteps(NamedTuple):
    """The steps of one LSTM cell in order, each of shape (..., d_h)."""

    input_gate: Array
    forget_gate: Array
    output_gate: Array
    candidate: Array
    cell: Array
    hidden: Array


@checked()
@in_float32
def rnn_step(
    x: Num[Operand, "*batch d_in"],
    h: Num[Operand, "*batch d_h"],
    W_x: Num[Operand, "d_in d_h"],
    W_h: Num[Operand, "d_h d_h"],
    b: Num[Operand, " d_h"] | None = None,
) -> Float[Array, "*batch d_h"]:
    """Return the next hidden state, tanh(x W_x + h W_h + b).

    Args:
        x: the input of this step, (..., d_in).
        h: the hidden state of the step before, (..., d_h).
        W_x: weights of the input, (d_in, d_h).
        W_h: weights of the hidden state, (d_h, d_h).
        b: bias, (d_h,), or None.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Elman (1990), "Finding structure in time".

    >>> import numpy as np
    >>> x, h = np.array([1.0]), np.array([0.5])
    >>> rnn_step(x, h, np.array([[2.0]]), np.array([[-4.0]]))
    array([0.])
    """
    return library(x).tanh(linear.formula(x, W_x, b) + h @ W_h)


@checked()
@in_float32
def lstm_step(
    x: Num[Operand, "*batch d_in"],
    h: Num[Operand, "*batch d_h"],
    c: Num[Operand, "*batch d_h"],
    W_x: Num[Operand, "d_in 4*d_h"],
    W_h: Num[Operand, "d_h 4*d_h"],
    b: Num[Operand, " 4*d_h"] | None = None,
) -> LSTMSteps:
    """Update hidden state and cell with one input, and keep every gate.

    x W_x + h W_h + b has four blocks of d_h columns, in the order of torch: input gate, forget
    gate, candidate, output gate. The logistic function is applied to the gates and tanh to the
    candidate. Then cell = forget_gate * c + input_gate * candidate and
    hidden = output_gate * tanh(cell).

    Args:
        x: the input of this step, (..., d_in).
        h: the hidden state of the step before, (..., d_h).
        c: the cell of the step before, (..., d_h).
        W_x: weights of the input, (d_in, 4 d_h).
        W_h: weights of the hidden state, (d_h, 4 d_h).
        b: bias, (4 d_h,), or None.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Hochreiter and Schmidhuber (1997), "Long short-term memory"; the forget gate is from
    Gers et al. (2000), "Learning to forget: continual prediction with LSTM", section 3.

    >>> import numpy as np
    >>> x, h, c = np.array([1.0]), np.array([0.0]), np.array([4.0])
    >>> steps = lstm_step(x, h, c, np.zeros((1, 4)), np.zeros((1, 4)))
    >>> steps.forget_gate, steps.candidate, steps.cell
    (array([0.5]), array([0.]), array([2.]))
    """
    xp = library(x)
    sums = linear.formula(x, W_x, b) + h @ W_h
    d_h = h.shape[-1]
    i, f, g, o = (sums[..., k * d_h : (k + 1) * d_h] for k in range(4))
    input_gate, forget_gate, output_gate = (_logistic(gate) for gate in (i, f, o))
    candidate = xp.tanh(g)
    cell = forget_gate * c + input_gate * candidate
    return LSTMSteps(
        input_gate, forget_gate, output_gate, candidate, cell, output_gate * xp.tanh(cell)
    )


def _logistic(x: Array) -> Array:
    # 1 / (1 + exp(-x)) written with tanh, which does not overflow for large -x.
    return 0.5 * (1 + library(x).tanh(0.5 * x))
