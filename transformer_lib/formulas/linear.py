"""The linear map X W + b that every projection of the Transformer is."""

from jaxtyping import Float, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand


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
    return linear_unchecked(*check_linear("X W b", X, W, b))


def linear_unchecked(X: Array, W: Array, b: Array | None = None) -> Array:
    """Compute `linear` of floats that a caller has checked."""
    return X @ W if b is None else X @ W + b


def check_linear(names: str, X: Array, W: Array, b: Array | None = None) -> list[Array]:
    """Return rows, weights and bias as floats, or raise ValueError with these three names."""
    x_name, w_name, b_name = names.split()
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
    floats = checks.real(xp, **given)
    return floats if b is not None else [*floats, None]
