"""The language model head: from hidden vectors to logits and log-probabilities."""

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, has_axis, library, shape_of
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.operand import Operand


@checked()
def logits(
    hidden: Num[Operand, "... d_model"],
    W: Num[Operand, "d_model V"],
    b: Num[Operand, " V"] | None = None,
) -> Float[Array, "... V"]:
    """Compute a score for every token of the vocabulary: hidden @ W + b.

    Args:
        hidden: vectors of the last layer, (..., d_model).
        W: output projection, (d_model, V).
        b: one number per token of the vocabulary, (V,), or None.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Vaswani et al. (2017), section 3.4.

    >>> import numpy as np
    >>> logits(np.array([1.0, 2.0]), np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 1.0]]))
    array([1., 2., 5.])
    """
    return linear.formula(hidden, W, b)


@checked()
def tied_logits(
    hidden: Num[Operand, "... d_model"],
    E: Num[Operand, "V d_model"],
    b: Num[Operand, " V"] | None = None,
) -> Float[Array, "... V"]:
    """Score every token by the dot product with its own embedding: hidden @ E^T + b.

    Args:
        hidden: vectors of the last layer, (..., d_model).
        E: the embedding matrix, the same array that looks tokens up, (V, d_model).
        b: one number per token of the vocabulary, (V,), or None.

    Raises:
        ValueError: an argument is not an array of real numbers, or the shapes are incompatible.

    Source: Press and Wolf (2017), "Using the output embedding to improve language models",
    section 2; Vaswani et al. (2017), section 3.4.

    >>> import numpy as np
    >>> tied_logits(np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]]))
    array([1., 2., 5.])
    """
    return linear.formula(hidden, E.mT, b)


@checked()
def pooled(
    hidden: Num[Operand, "... n d_model"],
    W: Num[Operand, "d_model d_out"],
    b: Num[Operand, " d_out"] | None = None,
) -> Float[Array, "... d_out"]:
    """Return tanh(h_0 W + b) of the first row, the input of a classifier of whole sequences.

    Args:
        hidden: vectors of the last layer, (..., n, d_model); the first token represents the whole
            sequence, [CLS] in BERT.
        W: weights, (d_model, d_out).
        b: bias, (d_out,), or None.

    Raises:
        ValueError: an argument is not an array of real numbers, hidden has no row, or the shapes
            are incompatible.

    Source: Devlin et al. (2019), section 3.1; the tanh is in the code released with the paper.

    >>> import numpy as np
    >>> pooled(np.array([[1.0, 0.0], [5.0, 5.0]]), np.array([[0.5], [9.0]])).round(4)
    array([0.4621])
    """
    if hidden.shape[-2] == 0:
        raise ValueError(f"hidden must have at least one row, got {shape_of(hidden)}")
    return library(hidden).tanh(linear.formula(hidden[..., 0, :], W, b))


@checked(has_axis)
@in_float32
def log_softmax(x: Num[Operand, "*batch n"], axis: int = -1) -> Float[Array, "*batch n"]:
    """Return the logarithm of softmax without taking the logarithm of a probability rounded to 0.

    log(exp(x_i) / sum_j exp(x_j)) = x_i - c - log(sum_j exp(x_j - c)) for every c, and with the
    largest entry as c, exp cannot overflow. An axis that contains only -inf stays -inf.

    Args:
        x: scores, any shape with at least one axis; integers are promoted to float.
        axis: the axis along which the probabilities would sum to 1.

    Raises:
        ValueError: x is not an array of real numbers, has no axes, or does not have `axis`.

    Source: Goodfellow, Bengio, Courville (2016), "Deep Learning", sections 4.1 and 6.2.2.3.

    >>> import numpy as np
    >>> log_softmax(np.array([10000.0, 0.0]))
    array([     0., -10000.])
    """
    xp = library(x)
    if x.shape[axis] == 0:
        return x
    highest = xp.max(x, axis=axis, keepdims=True)
    highest = xp.where(highest == -xp.inf, xp.zeros_like(highest), highest)
    shifted = x - highest
    total = xp.sum(xp.exp(shifted), axis=axis, keepdims=True)
    return shifted - xp.log(xp.where(total == 0, xp.ones_like(total), total))
