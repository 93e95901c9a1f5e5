"""The linear map X W + b, which every projection of the Transformer computes."""

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
    """Return X W + b: multiply every row of X by the same matrix and add the same vector.

    Args:
        X: rows, (..., d_in).
        W: weights that multiply on the right, (d_in, d_out).
        b: bias, (d_out,), or None for no bias.

    Raises:
        ValueError: an argument is not an array of real numbers, W is not a matrix with as many rows
            as X has columns, or b does not have one entry for each column of W.

    Source: Vaswani et al. (2017), section 3.3; equation 2 is built from this map.

    >>> import numpy as np
    >>> linear(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([0.5]))
    array([[11.5]])
    """
    return X @ W if b is None else X @ W + b
