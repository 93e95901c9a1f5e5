"""Softmax turns any real numbers into positive weights that sum to 1."""

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, has_axis, library
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand


@checked(has_axis)
@in_float32
def softmax(x: Num[Operand, "*batch n"], axis: int = -1) -> Float[Array, "*batch n"]:
    """Return exp(x) divided by its sum along `axis`, computed safely for any finite x and for -inf.

    Subtracting the largest entry first does not change the result, because
    exp(x - c) = exp(x) / exp(c), and it keeps exp from overflowing. An axis that contains only -inf
    gives weights of 0, never nan.

    Args:
        x: scores, any shape with at least one axis; integers are promoted to float.
        axis: the axis whose weights sum to 1.

    Raises:
        ValueError: x is not an array of real numbers, has no axes, or does not have `axis`.

    Source: Bridle (1990), "Probabilistic interpretation of feedforward classification network
    outputs", section 2.

    >>> import numpy as np
    >>> softmax(np.log([1.0, 2.0, 5.0]))
    array([0.125, 0.25 , 0.625])
    """
    xp = library(x)
    if x.shape[axis] == 0:
        return x
    highest = xp.max(x, axis=axis, keepdims=True)
    # -inf - (-inf) would be nan; with 0 in its place such a row becomes exp(-inf) = 0.
    highest = xp.where(highest == -xp.inf, 0.0, highest)
    exponentials = xp.exp(x - highest)
    total = xp.sum(exponentials, axis=axis, keepdims=True)
    return exponentials / (total + (total == 0))
