"""Functions from logits to logits that reshape the next-token distribution before sampling."""

from types import ModuleType

import numpy as np
from jaxtyping import Float, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.softmax import softmax


def apply_temperature(logits: Num[Array, "... V"], temperature: float) -> Float[Array, "... V"]:
    """Divide logits by a temperature: below 1 sharpens the distribution, and above 1 flattens it.

    Args:
        logits: scores of every token of the vocabulary, (..., V).
        temperature: positive and finite; 1 changes nothing.

    Raises:
        ValueError: logits is not an array of real numbers or has no axes, or the temperature is not
            positive and finite, or is so small that the largest logit divided by it is not finite.

    Source: Ackley, Hinton, Sejnowski (1985), "A learning algorithm for Boltzmann machines",
    section 2.

    >>> import numpy as np
    >>> apply_temperature(np.array([1.0, 3.0]), 0.5)
    array([2., 6.])
    """
    (logits,) = _rows(logits)
    checks.positive(temperature=temperature)
    xp = checks.namespace(logits=logits)
    # What division takes to inf would be nan after a softmax; -inf is as good as far below.
    most = float(xp.finfo(logits.dtype).max) * min(1.0, float(temperature))
    highest = xp.max(logits, axis=-1)
    if most < 1 or bool(xp.any((xp.abs(highest) > most) & xp.isfinite(highest))):
        raise ValueError(f"temperature must keep logits / temperature finite, got {temperature!r}")
    return logits / temperature


def keep_top_k(logits: Num[Array, "... V"], k: int) -> Float[Array, "... V"]:
    """Keep the k largest logits of each row and set the others to -inf.

    Among equal logits, those with the lowest ids are kept first, so exactly k remain.

    Args:
        logits: scores of every token of the vocabulary, (..., V).
        k: the number of tokens to keep, 1 to V; V changes nothing.

    Raises:
        ValueError: logits is not an array of real numbers or has no axes, or k is not an integer
            from 1 to V.

    Source: Fan, Lewis, Dauphin (2018), "Hierarchical neural story generation", section 5.4.

    >>> import numpy as np
    >>> keep_top_k(np.array([1.0, 3.0, 2.0, 2.0]), 2)
    array([-inf,   3.,   2., -inf])
    """
    (logits,) = _rows(logits)
    check_count(logits.shape[-1], k=k)
    xp = checks.namespace(logits=logits)
    low = np.partition(logits, -k)[..., -k, None] if xp is np else xp.topk(logits, k)[0][..., -1:]
    return _keep(xp, logits, low, k)


def keep_top_p(
    logits: Num[Array, "... V"], p: float, *, exceed: bool = False
) -> Float[Array, "... V"]:
    """Keep the fewest tokens whose probabilities total at least p and set the others to -inf.

    The whole vocabulary is sorted, most probable first and the lowest id first among equals, and is
    cut where the total first reaches p. The total is a floating-point sum, so 0.7 + 0.1 + 0.1 is
    0.8999999999999999 although 0.9 is meant. Therefore a total within 16 rounding errors of p (16
    eps of the logits' dtype, at most of float32; summed in float64) counts as equal to p. With
    p = 1, every token is kept.

    Args:
        logits: scores of every token of the vocabulary, (..., V).
        p: the total probability to keep, above 0 and at most 1.
        exceed: require a total greater than p, another common definition; the two definitions
            differ only where a total equals p.

    Raises:
        ValueError: logits is not an array of real numbers or has no axes, or p is not above 0 and
            at most 1.

    Source: Holtzman et al. (2020), "The curious case of neural text degeneration", section 3.1,
    equation 2.

    >>> import numpy as np
    >>> kept = keep_top_p(np.log([0.1, 0.7, 0.1, 0.1]), 0.9)
    >>> np.exp(kept)
    array([0.1, 0.7, 0.1, 0. ])
    """
    (logits,) = _rows(logits)
    check_share(p=p)
    if p == 1:
        return logits
    xp = checks.namespace(logits=logits)
    # Sixteen errors of bfloat16 would be an eighth of all probability.
    slack = 16 * min(float(xp.finfo(dtype).eps) for dtype in (logits.dtype, xp.float32))
    ordered = xp.flip(xp.sort(logits, axis=-1), axis=-1)
    probabilities = softmax(xp.astype(ordered, xp.float64))
    before = xp.cumsum(probabilities, axis=-1) - probabilities
    enough = before > p + slack if exceed else before >= p - slack
    # The most probable token is kept whatever p is: nothing comes before it.
    enough = enough & (xp.arange(logits.shape[-1], device=logits.device) > 0)
    k = xp.sum(~enough, axis=-1, keepdims=True)
    return _keep(xp, logits, xp.take_along_axis(ordered, k - 1, axis=-1), k)


def check_count(size: int, **values: int) -> None:
    """Raise ValueError unless every named value is a number of tokens, from 1 to `size`."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= size:
            raise ValueError(f"{name} must be an integer from 1 to V = {size}, got {value!r}")


def check_share(**values: float) -> None:
    """Raise ValueError unless every named value is above 0 and at most 1."""
    for name, value in values.items():
        if not 0 < value <= 1:
            raise ValueError(f"{name} must be above 0 and at most 1, got {value}")


def _rows(logits: Array) -> list[Array]:
    xp = checks.namespace(logits=logits)
    checks.at_least_rank(1, logits=logits)
    if logits.shape[-1] == 0:
        raise ValueError(f"logits must score at least one token, got {checks.shape_of(logits)}")
    return checks.real(xp, logits=logits)


def _keep(xp: ModuleType, logits: Array, low: Array, k: int | Array) -> Array:
    """Keep the k largest logits of each row, of which `low` is the lowest, (..., 1)."""
    above, level = logits > low, logits == low
    free = k - xp.sum(above, axis=-1, keepdims=True)  # places of those that equal the lowest
    kept = above | (level & (xp.cumsum(level, axis=-1) <= free))
    # logits - inf, not -inf alone, so that a nan stays visible.
    return xp.where(kept, logits, logits - xp.inf)
