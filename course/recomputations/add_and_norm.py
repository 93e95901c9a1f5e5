"""What the notes' residual connections and layer norms come to, step by step."""

import numpy as np

from transformer_lib.formulas.block import residual
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.normalization import layer_norm_steps


def added(x: Array, sublayer: Array) -> Array:
    """Add the output of a sub-layer to its input."""
    return residual(x, sublayer)


def mean(z: Array) -> float:
    """Return the mean of the entries."""
    return float(layer_norm_steps(z).mean[0])


def deviations(z: Array, mean: float) -> Array:
    """Subtract the mean from every entry."""
    return z - mean


def squares(deviations: Array) -> Array:
    """Square every deviation."""
    return deviations**2


def average(squares: Array) -> float:
    """Return the biased variance: the mean of the squared deviations."""
    return float(np.mean(squares))


def variance(z: Array) -> float:
    """Return the biased variance in one step."""
    return float(layer_norm_steps(z).variance[0])


def root(variance: float) -> float:
    """Return the standard deviation."""
    return float(np.sqrt(variance))


def divided(deviations: Array, sigma: float) -> Array:
    """Divide the deviations by the standard deviation."""
    return deviations / sigma


def normalized(z: Array, mean: float, variance: float) -> Array:
    """Subtract the mean and divide by the root of the variance."""
    return divided(deviations(z, mean), root(variance))


def scaled_and_shifted(z: Array, gain: float, bias: float) -> Array:
    """Multiply by the gain and add the bias."""
    return gain * z + bias
