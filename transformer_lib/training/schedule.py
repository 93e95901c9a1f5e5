"""The learning rate over the steps of training."""

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
