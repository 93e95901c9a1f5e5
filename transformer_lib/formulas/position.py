"""Positions that are added to embeddings: sinusoidal and learned."""

from jaxtyping import Float, Int, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import (
    NUMPY,
    Array,
    library,
    natural,
    positive,
    shape_of,
    whole,
)
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand


@checked(n=natural, d_model=whole, base=positive, offset=natural)
def sinusoidal(
    n: int,
    d_model: int,
    *,
    like: Num[Operand, "..."] = NUMPY,
    base: float = 10000.0,
    offset: int = 0,
    halves: bool = False,
) -> Float[Array, "n d_model"]:
    """Encode positions: PE(pos, 2i) = sin(pos / base^(2i / d_model)), PE(pos, 2i + 1) = cos(same).

    Args:
        n: the number of positions.
        d_model: the dimension. If it is odd, the last sine has no matching cosine.
        like: any array, numpy by default; the result is created in its library and on its device,
            in its dtype if that is a float dtype.
        base: sets the wavelengths, the longest of which is below 2 pi base.
        offset: the first position; positions are counted from 0.
        halves: put all sines first and all cosines after them, in the layout of Marian.

    Raises:
        ValueError: n, d_model or offset is not an integer or is too small, base is not positive and
            finite, or `like` is not an array.

    Source: Vaswani et al. (2017), section 3.5.

    >>> import numpy as np
    >>> sinusoidal(2, 4, like=np.empty(0)).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    positions = library(like).arange(offset, offset + n, device=like.device)
    return sines_and_cosines(positions, d_model, base, like=like, halves=halves)


def sines_and_cosines(
    positions: Int[Operand, "*n"],
    d_model: int,
    base: float,
    *,
    like: Array,
    halves: bool = False,
) -> Float[Array, "*n d_model"]:
    """Encode any given positions, such as those of a batch with padding on the left."""
    xp = library(positions)
    # In float64 whatever the result is: at position 1000 a float32 angle is off by 3e-5.
    exact = xp.astype(positions, xp.float64)
    angles = exact[..., None] * frequencies.formula(d_model, base=base, like=exact)
    both = [xp.sin(angles), xp.cos(angles)]
    # Each angle serves a sine and a cosine: (..., d_model / 2, 2) laid out in rows.
    wide = (*angles.shape[:-1], 2 * angles.shape[-1])
    encoded = xp.concat(both, axis=-1) if halves else xp.reshape(xp.stack(both, axis=-1), wide)
    return xp.astype(encoded[..., :d_model], like.dtype)


@checked(d_model=whole, base=positive)
@in_float32
def frequencies(
    d_model: int, *, like: Num[Operand, "..."] = NUMPY, base: float = 10000.0
) -> Float[Array, " half_d_model"]:
    """Return the angle by which each pair of columns rotates from one position to the next.

    Args:
        d_model: the dimension, which gives d_model / 2 pairs, rounded up.
        like: a float array that determines the library, device and dtype of the result.
        base: pair i rotates by the angle base^(-2i / d_model).

    Raises:
        ValueError: d_model is not a positive integer, base is not positive and finite, or `like` is
            not an array.

    Source: Vaswani et al. (2017), section 3.5; Su et al. (2021), section 3.2.2.

    >>> import numpy as np
    >>> frequencies(4, like=np.empty(0))
    array([1.  , 0.01])
    """
    even = library(like).arange(0, d_model, 2, dtype=like.dtype, device=like.device)
    return base ** (-even / d_model)


def _even(d_model: int) -> None:
    whole(d_model=d_model)
    if d_model % 2:
        raise ValueError(f"d_model must be even, because each sine needs a cosine, got {d_model}")


def _integer(k: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int):
        raise ValueError(f"k must be an integer, got {k!r}")


@checked(d_model=_even, k=_integer, base=positive)
def sinusoidal_rotation(
    k: int, d_model: int, *, like: Num[Operand, "..."] = NUMPY, base: float = 10000.0
) -> Float[Array, "d_model d_model"]:
    """Return the matrix R_k that shifts an encoding by k positions: PE(pos + k) = R_k PE(pos).

    The encodings are columns in this equation. For rows, multiply on the right by the transpose.

    Args:
        k: the number of positions to shift by; a negative number shifts backward.
        d_model: the dimension, an even number.
        like: any array, numpy by default; the result is created in its library and on its device,
            in its dtype if that is a float dtype.
        base: as in `sinusoidal`.

    Raises:
        ValueError: k is not an integer, d_model is not a positive even integer, base is not
            positive and finite, or `like` is not an array.

    Source: stated by Vaswani et al. (2017), section 3.5; it follows from the addition theorem of
    sine and cosine.

    >>> import numpy as np
    >>> sinusoidal_rotation(1, 2, like=np.empty(0)).round(4)
    array([[ 0.5403,  0.8415],
           [-0.8415,  0.5403]])
    """
    xp = library(like)
    angles = k * frequencies.formula(d_model, base=base, like=xp.astype(like, xp.float64))
    sines, cosines = xp.sin(angles), xp.cos(angles)
    rotation = xp.zeros((d_model, d_model), dtype=like.dtype, device=like.device)
    for i in range(d_model // 2):
        rotation[2 * i, 2 * i] = rotation[2 * i + 1, 2 * i + 1] = cosines[i]
        rotation[2 * i, 2 * i + 1] = sines[i]
        rotation[2 * i + 1, 2 * i] = -sines[i]
    return rotation


def _has_rows(P: Array, n: int, offset: int) -> None:
    if offset + n > P.shape[0]:
        raise ValueError(
            f"P must have a row for each position up to {offset + n - 1}, got {shape_of(P)}"
        )


@checked(_has_rows, n=natural, offset=natural)
def learned_positions(
    P: Num[Operand, "n_max d_model"], n: int, *, offset: int = 0
) -> Float[Array, "n d_model"]:
    """Return the rows of P for the n positions that start at `offset`.

    Args:
        P: one learned row per position, (n_max, d_model).
        n: the number of positions.
        offset: the first position; positions are counted from 0.

    Raises:
        ValueError: P is not a matrix of real numbers, n or offset is not an integer of 0 or more,
            or the last position has no row in P.

    Source: Gehring et al. (2017), section 3.1; Devlin et al. (2019), section 3.2.

    >>> import numpy as np
    >>> learned_positions(np.array([[1.0], [2.0], [3.0]]), 2, offset=1)
    array([[2.],
           [3.]])
    """
    return P[offset : offset + n]
