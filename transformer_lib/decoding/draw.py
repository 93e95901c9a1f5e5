"""Sample token ids from probabilities with a generator that the caller provides."""

import numpy as np
from jaxtyping import Int, Num

from transformer_lib.decoding.row import to_numpy
from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


def draw(probabilities: Num[Array, "... V"], rng: np.random.Generator) -> Int[Array, "..."]:
    """Sample one token id per row: the first whose cumulative probability exceeds a random number.

    One `rng.random()` is used for each row, in order, whatever the probabilities are. Two sampling
    methods that agree on the distribution therefore sample the same tokens from the same generator.

    Args:
        probabilities: rows that sum to 1 (within 0.001, or within 0.01 if they have 16 bits),
            (..., V), of either library.
        rng: the source of randomness, which advances by one number per row.

    Raises:
        ValueError: probabilities is not an array of real numbers, has no axes, contains a negative
            number or nan, or has a row that does not sum to 1; or rng is not a numpy Generator.

    Source: Devroye (1986), "Non-uniform random variate generation", section III.2.

    >>> import numpy as np
    >>> rows = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> draw(rows, np.random.default_rng(0))
    array([1, 2])
    """
    xp = checks.namespace(probabilities=probabilities)
    checks.at_least_rank(1, probabilities=probabilities)
    (floats,) = checks.real(xp, probabilities=probabilities)
    off = 1e-2 if floats.dtype.itemsize == 2 else 1e-3
    generator(rng)
    rows = to_numpy(probabilities)
    total = rows.sum(axis=-1)
    if not (np.all(rows >= 0) and np.all(np.abs(total - 1) <= off)):
        raise ValueError(f"probabilities must be 0 or more and sum to 1, got the sums {total}")
    cumulative = np.cumsum(rows, axis=-1)
    # Times the last total, which rounding keeps from being exactly 1: the mark stays below it.
    mark = np.asarray(rng.random(rows.shape[:-1]))[..., None] * cumulative[..., -1:]
    return xp.asarray(np.sum(cumulative <= mark, axis=-1), device=probabilities.device)


def generator(rng: np.random.Generator) -> None:
    """Raise ValueError unless rng is a numpy Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator, such as numpy.random.default_rng(0), "
            f"got {type(rng).__name__}"
        )
