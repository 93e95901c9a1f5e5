"""Power laws with a floor: their fit to losses, its uncertainty, and the compute-optimal model."""

import itertools
from collections.abc import Sequence
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
    return _fits(x, [y], floor)[0]


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
    return _fits(x, [np.take_along_axis(each, d, axis=0).mean(axis=0) for d in drawn], floor)


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


def _fits(x: Sequence[Vector], each: Sequence[Vector], floor: float | None) -> list[PowerLaw]:
    """Return the fit to each of several vectors of values, (points,)."""
    points = [_positive(f"x[{i}]", one) for i, one in enumerate(x)]
    y = np.stack([_values(points, one, floor) for one in each])
    # Around the middle of x a scale and its exponent hardly depend on each other.
    centers = np.array([np.exp(np.log(one).mean()) for one in points])
    logs = np.stack([np.log(one / c) for one, c in zip(points, centers, strict=True)])
    starts = np.array([*itertools.product(STARTS, repeat=len(points))])
    begun = np.repeat(np.log(y), len(starts), axis=0), np.tile(starts, (len(y), 1))
    squares, found = _search(logs, *begun, floor)
    best = squares.reshape(len(y), -1).argmin(axis=1) + len(starts) * np.arange(len(y))
    return [_law(at, centers, floor) for at in found[best]]


def _law(at: Vector, centers: Vector, floor: float | None) -> PowerLaw:
    """Return the law of what a search has found."""
    k = len(centers)
    exponents = at[k : 2 * k]
    scales = np.exp(at[:k]) * centers**exponents
    least = floor if floor is not None else float(np.exp(at[-1]))
    return PowerLaw(tuple(scales.tolist()), tuple(exponents.tolist()), least)


def _values(points: Sequence[Vector], y: Vector, floor: float | None) -> Vector:
    """Return y if a law can be fitted to it."""
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
    return values


def _positive(name: str, values: Vector) -> Vector:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not np.all((found > 0) & np.isfinite(found)):
        raise ValueError(f"{name} must be a vector of positive, finite numbers, got {values}")
    return found


def _search(
    logs: Vector, targets: Vector, exponents: Vector, floor: float | None
) -> tuple[Vector, Vector]:
    """Go downhill from each row of exponents to the row of targets beside it, in all rows at once.

    Return the squared error that each row has reached, (rows,), and where, (rows, unknowns).
    """
    level = targets.mean(axis=1, keepdims=True) - np.log(len(logs) + 1)
    unknown = [level] if floor is None else []
    at = np.concatenate([*[level] * len(logs), exponents, *unknown], axis=1)
    damping, going = np.full(len(at), 1e-3), np.arange(len(at))
    errors, slopes = _errors(logs, targets, floor, at)
    for _ in range(ROUNDS):
        tried = at[going] - _step(errors[going], slopes[going], damping[going])
        new, new_slopes = _errors(logs, targets[going], floor, tried)
        gained = (errors[going] ** 2).sum(axis=1) - (new**2).sum(axis=1)
        better = gained > 0
        nearer = going[better]
        at[nearer], errors[nearer], slopes[nearer] = tried[better], new[better], new_slopes[better]
        damping[going] *= np.where(better, 1 / 5, 5)
        going = going[~(abs(gained) <= PRECISION * (errors[going] ** 2).sum(axis=1))]
        if not len(going):
            break
    return (errors**2).sum(axis=1), at


def _step(errors: Vector, slopes: Vector, damping: Vector) -> Vector:
    """Return the damped step of each row."""
    square = slopes.mT @ slopes + damping[:, None, None] * np.eye(slopes.shape[-1])
    step = np.linalg.solve(square, slopes.mT @ errors[..., None])[..., 0]
    return np.asarray(step, np.float64)


def _errors(
    logs: Vector, targets: Vector, floor: float | None, at: Vector
) -> tuple[Vector, Vector]:
    """Return the errors of log y in each row, and how each changes with each unknown."""
    k = len(logs)
    powers = at[:, :k, None] - at[:, k : 2 * k, None] * logs
    terms = np.exp(np.clip(powers, -700, 700))
    least = np.exp(np.clip(at[:, -1:], -700, 700)) if floor is None else floor
    total = terms.sum(axis=1) + least
    shares = terms / total[:, None]
    slopes = [shares, -shares * logs]
    if floor is None:
        slopes.append((least / total)[:, None])
    return np.log(total) - targets, np.concatenate(slopes, axis=1).mT
