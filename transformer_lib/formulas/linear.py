"""The linear map X W + b that every projection of the Transformer is."""

from jaxtyping import Float, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


def linear(
    X: Num[Array, "... d_in"], W: Num[Array, "d_in d_out"], b: Num[Array, " d_out"] | None = None
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
    return named_linear(X=X, W=W, b=b)


def named_linear(**arrays: Array) -> Array:
    """Compute X W + b where an error shall name X, W and b as the caller does."""
    (x_name, X), (w_name, W), (b_name, b) = arrays.items()
    given = {x_name: X, w_name: W, **checks.given(**{b_name: b})}
    xp = checks.namespace(**given)
    checks.at_least_rank(1, **{x_name: X})
    checks.exact_rank(2, **{w_name: W})
    if X.shape[-1] != W.shape[0]:
        raise ValueError(
            f"{w_name} must have as many rows as {x_name} has columns: "
            f"{x_name} is {checks.shape_of(X)}, {w_name} is {checks.shape_of(W)}"
        )
    checks.exact_shape((W.shape[1],), **{b_name: b})
    X, W, *biases = checks.real(xp, **given)
    return X @ W + biases[0] if biases else X @ W
