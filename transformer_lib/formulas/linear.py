"""The linear map X W + b that every projection of the Transformer is."""

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand


@checked()
def linear(
    X: Num[Operand, "... d_in"],
    W: Num[Operand, "d_in d_out"],
    b: Num[Operand, " d_out"] | None = None,
) -> Float[Array, "... d_out"]:
    """Return X W + b: every row of X times the same matrix, plus the same vector.

    Args:
        X: rows, (..., d_in).
        W: weights that multiply on the right, (d_in, d_out).
        b: bias, (d_out,), or None for none.

    Raises:
        ValueError: an argument is not an array of real numbers, W is not a matrix with as many rows
            as X has columns, or b does not have one entry for each column of W.

    Source: Vaswani et al. (2017), section 3.3, equation 2 is built from it.

    >>> import numpy as np
    >>> linear(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([0.5]))
    array([[11.5]])
    """
    return X @ W if b is None else X @ W + b
