"""Rotary positions: queries and keys are rotated by angles that grow with the position."""

from typing import NamedTuple

from jaxtyping import Float, Int, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, even_columns, library, positive
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.position import frequencies


class Turns(NamedTuple):
    """The cosines and sines of the rotations, (..., n, d / 2), which all layers share."""

    cosines: Array
    sines: Array


def turns(positions: Array, d: int, base: float, *, like: Array) -> Turns:
    """Return the rotations of d-dimensional rows at the positions, in the dtype `rotary` uses."""
    xp = library(like)
    exact = xp.astype(positions, xp.float64)
    angles = exact[..., None] * frequencies.formula(d, base=base, like=exact)
    dtype = like.dtype if like.dtype.itemsize > 2 else xp.float32
    return Turns(xp.astype(xp.cos(angles), dtype), xp.astype(xp.sin(angles), dtype))


@checked(X=even_columns, positions="... n", base=positive)
@in_float32
def rotary(
    X: Num[Operand, "... n d"],
    positions: Int[Operand, "..."] | Turns,
    *,
    base: float = 10000.0,
    halves: bool = False,
) -> Float[Array, "... n d"]:
    """Rotate the pair of columns (2i, 2i + 1) of the row at position p by the angle p base^(-2i/d).

    The dot product of a rotated query and a rotated key depends on the distance between them, not
    on their positions.

    Args:
        X: queries or keys, (..., n, d), d even.
        positions: the position of each row, integers that broadcast to (..., n).
        base: as in `sinusoidal`.
        halves: rotate the pairs (i, i + d/2) instead, because LLaMA stores its columns this way.

    Raises:
        ValueError: X is not an array of real numbers with an even number of columns, positions are
            not integers that broadcast to the rows of X, or base is not positive and finite.

    Source: Su et al. (2021), section 3.2.2, equation 15.

    >>> import numpy as np
    >>> rotary(np.array([[1.0, 0.0]]), np.array([1])).round(4)
    array([[0.5403, 0.8415]])
    """
    xp = library(X)
    if not isinstance(positions, Turns):  # which a stack makes once for all its layers
        positions = turns(positions, X.shape[-1], base, like=X)
    cosines, sines = positions
    half = X.shape[-1] // 2
    first, second = (X[..., :half], X[..., half:]) if halves else (X[..., 0::2], X[..., 1::2])
    turned = [first * cosines - second * sines, first * sines + second * cosines]
    return xp.concat(turned, axis=-1) if halves else xp.reshape(xp.stack(turned, axis=-1), X.shape)
