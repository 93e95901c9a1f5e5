"""Masks: boolean arrays, True where a query may attend to a key."""

from typing import Any

from jaxtyping import Bool, Float

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


def causal_mask(n: int, *, like: Array) -> Bool[Array, "n n"]:
    """Let the token at each position attend to itself and to earlier positions only.

    Args:
        n: the number of tokens, 0 or more.
        like: any array; the mask comes from its library and lies on its device.

    Raises:
        ValueError: n is negative or not an integer, or `like` is not an array.

    Source: Vaswani et al. (2017), section 3.2.3.

    >>> import numpy as np
    >>> causal_mask(3, like=np.empty(0))
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True,  True]])
    """
    xp = checks.namespace(like=like)
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ValueError(f"n must be an integer of 0 or more, got {n!r}")
    positions = xp.arange(n, **_device(like))
    return positions[:, None] >= positions[None, :]


def additive_mask(mask: Bool[Array, "*shape"]) -> Float[Array, "*shape"]:
    """Write a boolean mask as the matrix of 0 and -inf that papers add to the scores.

    Raises:
        ValueError: mask is not a boolean array.

    Source: Vaswani et al. (2017), section 3.2.3.

    >>> import numpy as np
    >>> additive_mask(np.array([[True, False]]))
    array([[  0., -inf]])
    """
    xp = checks.namespace(mask=mask)
    checks.boolean(xp, mask=mask)
    zero = xp.zeros(mask.shape, **_device(mask))
    return xp.where(mask, zero, zero - xp.inf)


def _device(like: Array) -> dict[str, Any]:
    return {"device": like.device}
