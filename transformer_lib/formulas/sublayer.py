"""The residual and the norm around every sub-layer, before it or after it."""

from collections.abc import Callable
from typing import NamedTuple

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, before_or_after, exact_shape
from transformer_lib.formulas.operand import Operand


class SublayerSteps(NamedTuple):
    """The steps of a sub-layer with its residual and norm, in order."""

    entered: Array  # what the sub-layer was given
    change: Array  # what it adds
    summed: Array  # the residual: X plus that
    output: Array


@checked()
def residual(X: Num[Operand, "*shape"], change: Num[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Add what a sub-layer computed to what it was given.

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
    """Wrap a sub-layer f in its residual and norm, and keep every step.

    The norm stands before f, X + f(norm(X)), or after the sum, norm(X + f(X)).

    Args:
        X: rows, (..., d_model).
        f: the sub-layer; it returns rows like X.
        norm: the normalization.
        place: "pre" or "post".
        dropout: applied to what f computed before it is added.

    Raises:
        ValueError: X is not an array of real numbers, place is neither, or f changes the shape.

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
    """Return X + f(norm(X)) for "pre", norm(X + f(X)) for "post", as `sublayer_steps` does."""
    return sublayer_steps(X, f, norm, place, dropout=dropout).output
