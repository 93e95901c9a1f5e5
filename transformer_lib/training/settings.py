"""The settings of a training run, and the learning rate that follows from them."""

from dataclasses import dataclass

from transformer_lib.formulas import checks


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a model is trained; the defaults are those of the paper where it gives any.

    Args:
        steps: updates of the parameters, counted from the very first one.
        batch_size: sentences a batch; None leaves it to whoever draws the batches.
        warm_up: the steps over which the learning rate grows.
        rate: a constant learning rate in the place of the paper's schedule, or None.
        smoothing: the share of the target that label smoothing spreads over the vocabulary.
        clip: the longest gradient, as one vector over all parameters; None clips nothing.
        seed: of the numbers that draw batches and of those that drop out.
        checkpoint_every: the steps between two checkpoints.

    Raises:
        ValueError: a field is out of its range.

    Source: Vaswani et al. (2017), sections 5.3 and 5.4; Pascanu et al. (2013), section 3.2, for
    clipping.

    >>> Settings(steps=100).learning_rate(1, d_model=64) == 64**-0.5 * 4000**-1.5
    True
    """

    steps: int
    batch_size: int | None = None
    warm_up: int = 4000
    rate: float | None = None
    smoothing: float = 0.0
    clip: float | None = 1.0
    seed: int = 0
    checkpoint_every: int = 500

    def __post_init__(self) -> None:
        checks.count(0, steps=self.steps, seed=self.seed)
        checks.count(1, warm_up=self.warm_up, checkpoint_every=self.checkpoint_every)
        checks.count(1, **checks.given(batch_size=self.batch_size))
        numbers = checks.given(rate=self.rate, clip=self.clip)
        for name, value in {**numbers, "smoothing": self.smoothing}.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"{name} must be a number, got {value!r}")
        checks.positive(**numbers)
        if not 0 <= self.smoothing < 1:
            raise ValueError(f"smoothing must be from 0 to below 1, got {self.smoothing}")

    def learning_rate(self, step: int, *, d_model: int) -> float:
        """Return the learning rate of a step, counted from 1."""
        if self.rate is not None:
            return self.rate
        return warm_up_rate(step, d_model=d_model, warm_up=self.warm_up)


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
