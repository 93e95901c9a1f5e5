"""Fits find the exponents that made the points, and say how sure they are."""

import numpy as np
import pytest

from tests.refusals import refusals
from transformer_lib.scaling import (
    PowerLaw,
    bootstrap_power_law,
    compute_optimal,
    fit_power_law,
)

LAW = PowerLaw((5.0, 40.0), (0.45, 0.7), 1.5)
SIZES, TOKENS = (each.ravel() for each in np.meshgrid(4.0 ** np.arange(5), 3.0 ** np.arange(4, 9)))


def flat(law: PowerLaw) -> list[float]:
    return [*law.scales, *law.exponents, law.floor]


@pytest.mark.parametrize("floor", [None, 1.5])
def test_points_without_noise_give_the_law_back(floor: float | None) -> None:
    found = fit_power_law([SIZES, TOKENS], LAW.at(SIZES, TOKENS), floor=floor)
    np.testing.assert_allclose(flat(found), flat(LAW), rtol=1e-6)


def test_one_term_is_a_straight_line_in_logarithms() -> None:
    y = 3 * SIZES[:5] ** -0.3
    noisy = y * np.exp([0.01, -0.02, 0.03, -0.01, 0.02])
    slope, level = np.polyfit(np.log(SIZES[:5]), np.log(noisy), 1)
    found = fit_power_law([SIZES[:5]], noisy, floor=0.0)
    np.testing.assert_allclose([found.exponents[0], found.scales[0]], [-slope, np.exp(level)])


def test_units_of_x_change_the_scale_and_nothing_else() -> None:
    y = LAW.at(SIZES, TOKENS)
    found = fit_power_law([SIZES * 1e9, TOKENS], y)
    np.testing.assert_allclose(found.exponents, LAW.exponents, rtol=1e-6)
    np.testing.assert_allclose(found.scales[0], 5 * 1e9**0.45, rtol=1e-6)


def test_a_floor_that_is_wrong_bends_the_exponent() -> None:
    y = 1.5 + 5 * SIZES[:5] ** -0.45
    low, right, high = (
        fit_power_law([SIZES[:5]], y, floor=floor).exponents[0] for floor in (0.0, 1.5, 1.8)
    )
    assert low < right < high
    np.testing.assert_allclose(right, 0.45)


def test_the_bootstrap_covers_what_made_the_points() -> None:
    rng = np.random.default_rng(5)
    covered = []
    for _ in range(20):
        each = LAW.at(SIZES, TOKENS) * np.exp(0.02 * rng.normal(size=(5, len(SIZES))))
        fits = bootstrap_power_law([SIZES, TOKENS], each, floor=1.5, draws=25, rng=rng)
        low, high = np.quantile([fit.exponents for fit in fits], [0.05, 0.95], axis=0)
        covered += ((low <= LAW.exponents) & (np.array(LAW.exponents) <= high)).tolist()
    # Nine in ten are asked for; five seeds know their own spread only roughly, and from below.
    assert 0.65 <= np.mean(covered) <= 0.97


def test_seeds_that_agree_leave_nothing_open() -> None:
    each = np.stack([LAW.at(SIZES, TOKENS)] * 3)
    rng = np.random.default_rng(0)
    fits = bootstrap_power_law([SIZES, TOKENS], each, draws=3, rng=rng)
    np.testing.assert_allclose([flat(fit) for fit in fits], [flat(LAW)] * 3, rtol=1e-6)


@pytest.mark.parametrize("compute", [1e3, 1e6, 1e9])
def test_no_other_size_does_better_with_the_same_compute(compute: float) -> None:
    size, tokens = compute_optimal(LAW, compute)
    np.testing.assert_allclose(6 * size * tokens, compute)
    others = size * np.array([0.9, 1.0, 1.1])
    losses = LAW.at(others, compute / 6 / others)
    assert losses[1] == losses.min()


def test_hoffmann_s_law_is_balanced_and_kaplan_s_is_not() -> None:
    """Ten times the compute: the size grows by 10 to the power beta / (alpha + beta)."""
    hoffmann = PowerLaw((406.4, 410.7), (0.34, 0.28), 1.69)
    (small, _), (large, _) = (compute_optimal(hoffmann, c) for c in (1e22, 1e23))
    np.testing.assert_allclose(np.log10(large / small), 0.28 / 0.62)


Y, RNG = LAW.at(SIZES, TOKENS), np.random.default_rng(0)
test_what_is_refused = refusals(
    ("y must have more than 3 points, got 3", lambda: fit_power_law([SIZES[:3]], Y[:3])),
    ("x must be vectors as long as y", lambda: fit_power_law([SIZES], Y[:-1])),
    (
        "floor must be at least 0 and below the smallest y",
        lambda: fit_power_law([SIZES], Y, floor=2.0),
    ),
    (r"x\[1\] must be a vector of positive", lambda: fit_power_law([SIZES, -TOKENS], Y)),
    ("y must be a vector of positive", lambda: fit_power_law([SIZES], Y * np.nan)),
    ("two seeds or more", lambda: bootstrap_power_law([SIZES], Y[None], rng=RNG)),
    ("draws must be an", lambda: bootstrap_power_law([SIZES], Y[None], rng=RNG, draws=0)),
    ("law must be of param", lambda: compute_optimal(PowerLaw((1.0,), (1.0,), 0.0), 1.0)),
    ("compute must be positive and finite", lambda: compute_optimal(LAW, 0.0)),
)
