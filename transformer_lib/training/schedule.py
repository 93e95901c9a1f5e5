"""Learning rates: what grows while training warms up, and falls."""

import math

from transformer_lib.formulas import checks


def warm_up_rate(step: int, *, d_model: int, warm_up: int) -> float:
    """Return the learning rate of a step: it grows evenly for `warm_up` steps, then falls.

    The rate is d_model^-0.5 min(step^-0.5, step warm_up^-1.5); it is highest at step = warm_up.

    Args:
        step: the step, counted from 1.
        d_model: the width of the model.
        warm_up: the steps of growth, 1 or more.

    Raises:
        ValueError: an argument is not an integer of 1 or more.

    Source: Vaswani et al. (2017), section 5.3, equation 3.

    >>> [warm_up_rate(step, d_model=4, warm_up=4) for step in (1, 2, 4, 16)]
    [0.0625, 0.125, 0.25, 0.125]
    """
    checks.count(1, step=step, d_model=d_model, warm_up=warm_up)
    return float(d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5))


def cosine_rate(step: int, *, highest: float, lowest: float, warm_up: int, steps: int) -> float:
    """Return a learning rate that grows evenly and then falls along half a wave of the cosine.

    Args:
        step: the step; at 0 the rate is 0 where it warms up.
        highest: the rate at step = warm_up.
        lowest: the rate from step = steps on.
        warm_up: the steps of growth.
        steps: where the fall ends.

    Raises:
        ValueError: a count is not an integer of 0 or more, steps is below warm_up, highest is not
            positive, or lowest is not from 0 to highest.

    Source: Loshchilov, Hutter (2017), "SGDR", equation 5; Touvron et al. (2023a), section 2.3.

    >>> [cosine_rate(step, highest=1, lowest=0, warm_up=2, steps=6) for step in (1, 2, 4, 9)]
    [0.5, 1.0, 0.5, 0.0]
    """
    done = _share_of_the_fall(step, highest, lowest, warm_up, steps)
    if done < 0:
        return highest * step / warm_up
    return lowest + (1 + math.cos(math.pi * done)) / 2 * (highest - lowest)


def linear_rate(step: int, *, highest: float, lowest: float, warm_up: int, steps: int) -> float:
    """Return a learning rate that grows evenly and then falls evenly.

    Args:
        step: the step; at 0 the rate is 0 where it warms up.
        highest: the rate at step = warm_up.
        lowest: the rate from step = steps on.
        warm_up: the steps of growth.
        steps: where the fall ends.

    Raises:
        ValueError: as `cosine_rate`.

    Source: Devlin et al. (2019), appendix A.2.

    >>> [linear_rate(step, highest=1, lowest=0, warm_up=2, steps=6) for step in (1, 2, 5, 9)]
    [0.5, 1.0, 0.25, 0.0]
    """
    done = _share_of_the_fall(step, highest, lowest, warm_up, steps)
    if done < 0:
        return highest * step / warm_up
    return float(highest - done * (highest - lowest))


def _share_of_the_fall(step: int, highest: float, lowest: float, warm_up: int, steps: int) -> float:
    """Return how much of the fall is done, from 0 to 1, or -1 while the rate grows."""
    checks.count(0, step=step, warm_up=warm_up)
    checks.count(warm_up, steps=steps)
    checks.positive(highest=highest)
    if not 0 <= lowest <= highest:
        raise ValueError(f"lowest must be from 0 to highest = {highest}, got {lowest}")
    if step < warm_up:
        return -1.0
    return min(1.0, (step - warm_up) / (steps - warm_up)) if steps > warm_up else 1.0
