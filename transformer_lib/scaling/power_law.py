"""Power laws with a floor: their fit to losses, its uncertainty, and the compute-optimal model."""

import itertools
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Num
from numpy.typing import NDArray

from transformer_lib.formulas import checks

Vector = NDArray[np.float64]
STARTS = (0.2, 0.5, 1.0)  # exponents that the search begins with
ROUNDS = 200
PRECISION = 1e-14  # the search ends where a step changes the squared error by less
OPERATIONS = 6  # of training, for each parameter and token


class PowerLaw(NamedTuple):
    """y = floor + the sum over i of scales[i] / x_i ** exponents[i]."""

    scales: tuple[float, ...]
    exponents: tuple[float, ...]
    floor: float

    def at(self, *x: float | Vector) -> Vector:
        """Return y at the given x, which is one number or one vector for each term."""
        terms = zip(self.scales, self.exponents, x, strict=True)
        return self.floor + np.asarray(sum(a * np.asarray(v) ** -b for a, b, v in terms))


def fit_power_law(
    x: Sequence[Num[np.ndarray, " points"]],
    y: Num[np.ndarray, " points"],
    *,
    floor: float | None = None,
) -> PowerLaw:
    """Return the power law that is nearest to measured points, by least squares of log y.

    With logarithms, an error of 1% counts the same everywhere on the curve.

    Args:
        x: one vector, (points,), for each term, such as (parameters,) or (parameters, tokens).
        y: the measured values, (points,), all above the floor.
        floor: the value that y approaches, if it is known; None to fit it too.

    Raises:
        ValueError: a number is not positive and finite, the points are not more than the unknowns,
            or y is not above the floor.

    Source: Hoffmann et al. (2022), section 3.3, for the form; Levenberg (1944) for the search.

    >>> sizes = np.array([1.0, 4.0, 16.0, 64.0])
    >>> found = fit_power_law([sizes], 2 + 3 / sizes**0.5)
    >>> np.round([*found.scales, *found.exponents, found.floor], 4)
    array([3. , 0.5, 2. ])
    """
    points = [_positive(f"x[{i}]", each) for i, each in enumerate(x)]
    values = _positive("y", y)
    if not points or any(each.shape != values.shape for each in points):
        raise ValueError(f"x must be vectors as long as y, {values.shape}, got {len(points)}")
    unknowns = 2 * len(points) + (floor is None)
    if len(values) <= unknowns:
        raise ValueError(f"y must have more than {unknowns} points, got {len(values)}")
    if floor is not None and not 0 <= floor < values.min():
        raise ValueError(
            f"floor must be at least 0 and below the smallest y, {values.min():.4g}, got {floor}"
        )
    # Around the middle of x a scale and its exponent hardly depend on each other.
    centers = [float(np.exp(np.log(each).mean())) for each in points]
    logs = np.stack([np.log(each / c) for each, c in zip(points, centers, strict=True)])
    starts = itertools.product(STARTS, repeat=len(points))
    searched = (_search(logs, np.log(values), floor, each) for each in starts)
    _, found = min(searched, key=itemgetter(0))
    k = len(points)
    exponents = found[k : 2 * k]
    scales = np.exp(found[:k]) * np.array(centers) ** exponents
    least = floor if floor is not None else float(np.exp(found[-1]))
    return PowerLaw(tuple(scales.tolist()), tuple(exponents.tolist()), least)


def bootstrap_power_law(
    x: Sequence[Num[np.ndarray, " points"]],
    each: Float[np.ndarray, "seeds points"],
    *,
    floor: float | None = None,
    draws: int = 200,
    rng: np.random.Generator,
) -> list[PowerLaw]:
    """Return fits to resampled seeds: at each point, the seeds are drawn with replacement.

    The range of the fits shows the uncertainty due to the seeds. It does not show whether a power
    law holds at all, or holds beyond the points.

    Args:
        x: one vector, (points,), for each term.
        each: the values of every seed, (seeds, points).
        floor: as in `fit_power_law`.
        draws: the number of fits.
        rng: the generator that draws the seeds.

    Raises:
        ValueError: as `fit_power_law`, or fewer than two seeds or no draws are given.

    Source: Efron (1979), "Bootstrap methods: another look at the jackknife".
    """
    checks.count(1, draws=draws)
    if each.ndim != 2 or len(each) < 2:
        raise ValueError(f"each must be (seeds, points) with two seeds or more, got {each.shape}")
    seeds, points = each.shape
    drawn = (rng.integers(seeds, size=(seeds, points)) for _ in range(draws))
    return [
        fit_power_law(x, np.take_along_axis(each, d, axis=0).mean(axis=0), floor=floor)
        for d in drawn
    ]


def compute_optimal(law: PowerLaw, compute: float) -> tuple[float, float]:
    """Return the numbers of parameters and tokens with the least loss for a given compute.

    Args:
        law: the power law of parameters and tokens, in this order.
        compute: the operations of training, 6 for each parameter and token.

    Raises:
        ValueError: the law does not have two terms, or compute is not positive and finite.

    Source: Hoffmann et al. (2022), section 3.3, equation 4.

    >>> size, tokens = compute_optimal(PowerLaw((1.0, 1.0), (0.5, 0.5), 0.0), 600.0)
    >>> round(size, 6), round(tokens, 6)
    (10.0, 10.0)
    """
    checks.positive(compute=compute)
    if len(law.scales) != 2:
        raise ValueError(f"law must be of parameters and tokens, got {len(law.scales)} terms")
    (a, b), (alpha, beta) = law.scales, law.exponents
    ratio = (alpha * a / (beta * b)) ** (1 / (alpha + beta))
    pairs = compute / OPERATIONS
    size = ratio * pairs ** (beta / (alpha + beta))
    return size, pairs / size


def _positive(name: str, values: Vector) -> Vector:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not np.all((found > 0) & np.isfinite(found)):
        raise ValueError(f"{name} must be a vector of positive, finite numbers, got {values}")
    return found


def _search(
    logs: Vector, target: Vector, floor: float | None, exponents: Sequence[float]
) -> tuple[float, Vector]:
    """Go downhill from these exponents; return the squared error and where it was reached."""
    level = target.mean() - np.log(len(logs) + 1)
    unknown = [level] if floor is None else []
    at = np.array([*[level] * len(logs), *exponents, *unknown])
    damping = 1e-3
    errors, slopes = _errors(logs, target, floor, at)
    for _ in range(ROUNDS):
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.eye(len(at)), slopes.T @ errors)
        new, new_slopes = _errors(logs, target, floor, at - step)
        gained = errors @ errors - new @ new
        if gained > 0:
            at, errors, slopes, damping = at - step, new, new_slopes, damping / 5
        else:
            damping *= 5
        if abs(gained) <= PRECISION * (errors @ errors):
            break
    return float(errors @ errors), at


def _errors(logs: Vector, target: Vector, floor: float | None, at: Vector) -> tuple[Vector, Vector]:
    """Return the errors of log y, and how each changes with each unknown."""
    k = len(logs)
    terms = np.exp(np.clip(at[:k, None] - at[k : 2 * k, None] * logs, -700, 700))
    least = np.exp(np.clip(at[-1], -700, 700)) if floor is None else floor
    total = terms.sum(axis=0) + least
    shares = [*(terms / total), *(-terms * logs / total)]
    if floor is None:
        shares.append(least / total)
    return np.log(total) - target, np.stack(shares, axis=1)
