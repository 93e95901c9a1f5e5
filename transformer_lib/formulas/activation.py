"""Activation functions: the nonlinearities between the two matrices of a feed-forward layer."""

import math
from types import ModuleType

import numpy as np
from jaxtyping import Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, library
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand


@checked()
def relu(x: Num[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Return x where it is positive and 0 elsewhere.

    Raises:
        ValueError: x is not an array of real numbers.

    Source: Nair and Hinton (2010), section 2.

    >>> import numpy as np
    >>> relu(np.array([-2.0, 3.0]))
    array([0., 3.])
    """
    # x <= 0, not x > 0, so that nan stays nan; the slope at 0 is 0, as in torch.
    return library(x).where(x <= 0, 0.0, x)


@checked()
@in_float32
def gelu(x: Num[Operand, "*shape"], *, tanh: bool = False) -> Float[Array, "*shape"]:
    """Return x times the probability that a standard normal number is below x.

    Args:
        x: any shape.
        tanh: use the approximation of the paper, 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))),
            with which GPT-2 was trained.

    Raises:
        ValueError: x is not an array of real numbers.

    Source: Hendrycks and Gimpel (2016), section 2.

    >>> import numpy as np
    >>> gelu(np.array([-1.0, 0.0, 1.0])).round(4)
    array([-0.1587,  0.    ,  0.8413])
    """
    if tanh:
        return 0.5 * x * (1 + library(x).tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + _erf(library(x), x / math.sqrt(2)))


@checked()
def gelu_tanh(x: Num[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Return `gelu(x, tanh=True)`, the approximation that GPT-2 was trained with.

    Raises:
        ValueError: x is not an array of real numbers.

    Source: Hendrycks and Gimpel (2016), section 2.

    >>> import numpy as np
    >>> gelu_tanh(np.array([1.0])).round(4)
    array([0.8412])
    """
    return gelu.formula(x, tanh=True)


@checked()
@in_float32
def silu(x: Num[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Return x times its logistic sigmoid, a function that is also called swish.

    Raises:
        ValueError: x is not an array of real numbers.

    Source: Hendrycks and Gimpel (2016), section 2; Ramachandran et al. (2017).

    >>> import numpy as np
    >>> silu(np.log([3.0])).round(4)
    array([0.824])
    """
    # The sigmoid through tanh: exp(-x) would overflow for very negative x.
    return x * (0.5 + 0.5 * library(x).tanh(0.5 * x))


def _erf(xp: ModuleType, x: Array) -> Array:
    if xp is not np:
        return xp.erf(x)
    # numpy has no erf. The one of Python is exact to the last digit, and slow.
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(x), dtype=x.dtype)
