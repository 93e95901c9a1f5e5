"""Normalization: layer norm and RMS norm."""

from typing import NamedTuple

from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, columns, library, not_negative
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand


class LayerNormSteps(NamedTuple):
    """The steps of layer norm in order."""

    mean: Array  # (..., 1)
    variance: Array  # (..., 1)
    normalized: Array  # (..., d_model)
    output: Array  # (..., d_model)


@checked(X=columns, eps=not_negative)
@in_float32
def layer_norm_steps(
    X: Num[Operand, "... d_model"],
    gain: Num[Operand, " d_model"] | None = None,
    bias: Num[Operand, " d_model"] | None = None,
    *,
    eps: float = 1e-5,
) -> LayerNormSteps:
    """Normalize every row to mean 0 and variance 1, scale and shift it, and keep every step.

    The variance divides by d_model, not by d_model - 1, and eps is added under the square root.

    Args:
        X: rows, (..., d_model).
        gain: multiplies each column, (d_model,), or None for 1.
        bias: added to each column, (d_model,), or None for 0.
        eps: added to the variance, 0 or more.

    Raises:
        ValueError: an argument is not an array of real numbers, gain or bias does not have
            d_model entries, d_model is 0, or eps is negative.

    Source: Ba et al. (2016), section 3, equation 4.

    >>> import numpy as np
    >>> layer_norm_steps(np.array([1.0, 3.0]), np.array([10.0, 10.0]), eps=0.0).output
    array([-10.,  10.])
    """
    xp = library(X)
    mean = xp.mean(X, axis=-1, keepdims=True)
    centered = X - mean
    variance = xp.mean(centered * centered, axis=-1, keepdims=True)
    normalized = centered / xp.sqrt(variance + eps)
    return LayerNormSteps(mean, variance, normalized, _scale_and_shift(normalized, gain, bias))


def layer_norm(
    X: Num[Operand, "... d_model"],
    gain: Num[Operand, " d_model"] | None = None,
    bias: Num[Operand, " d_model"] | None = None,
    *,
    eps: float = 1e-5,
) -> Float[Array, "... d_model"]:
    """Return the rows normalized, scaled and shifted, which is the output of `layer_norm_steps`."""
    return layer_norm_steps(X, gain, bias, eps=eps).output


@checked(X=columns, eps=not_negative)
@in_float32
def rms_norm(
    X: Num[Operand, "... d_model"],
    gain: Num[Operand, " d_model"] | None = None,
    *,
    eps: float = 1e-5,
) -> Float[Array, "... d_model"]:
    """Divide every row by the square root of its mean square, and scale it.

    Args:
        X: rows, (..., d_model).
        gain: multiplies each column, (d_model,), or None for 1.
        eps: added to the mean square, 0 or more.

    Raises:
        ValueError: an argument is not an array of real numbers, gain does not have d_model
            entries, d_model is 0, or eps is negative.

    Source: Zhang and Sennrich (2019), section 4, equation 4.

    >>> import numpy as np
    >>> rms_norm(np.array([1.0, 7.0]), eps=0.0)
    array([0.2, 1.4])
    """
    xp = library(X)
    mean_square = xp.mean(X * X, axis=-1, keepdims=True)
    return _scale_and_shift(X / xp.sqrt(mean_square + eps), gain, None)


def _scale_and_shift(X: Array, gain: Array | None, bias: Array | None) -> Array:
    X = X if gain is None else X * gain
    return X if bias is None else X + bias
