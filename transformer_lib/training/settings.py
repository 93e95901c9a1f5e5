"""The settings of a training run, and the learning rate that follows from them."""

import math
from dataclasses import dataclass

from transformer_lib.formulas import checks

PRECISIONS = ("float32", "bfloat16")
SHARES = ("smoothing", "beta_2", "attention_dropout")


def warm_up_rate(step: int, *, d_model: int, warm_up: int) -> float:
    """Return the learning rate of a step: it grows linearly for `warm_up` steps, then falls.

    The learning rate is d_model^-0.5 min(step^-0.5, step warm_up^-1.5); it is highest at step =
    warm_up.

    Args:
        step: the step, counted from 1.
        d_model: the dimension of the model.
        warm_up: the number of steps of growth, 1 or more.

    Raises:
        ValueError: an argument is not an integer of 1 or more.

    Source: Vaswani et al. (2017), section 5.3, equation 3.

    >>> [warm_up_rate(step, d_model=4, warm_up=4) for step in (1, 2, 4, 16)]
    [0.0625, 0.125, 0.25, 0.125]
    """
    checks.count(1, step=step, d_model=d_model, warm_up=warm_up)
    return float(d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5))


def cosine_rate(step: int, *, highest: float, lowest: float, warm_up: int, steps: int) -> float:
    """Return a learning rate that grows linearly and then falls along half a period of the cosine.

    Args:
        step: the step; at step 0 the learning rate is 0 if there is a warm-up.
        highest: the learning rate at step = warm_up.
        lowest: the learning rate from step = steps on.
        warm_up: the number of steps of growth.
        steps: the step at which the fall ends.

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
    """Return a learning rate that grows linearly and then falls linearly.

    Args:
        step: the step; at step 0 the learning rate is 0 if there is a warm-up.
        highest: the learning rate at step = warm_up.
        lowest: the learning rate from step = steps on.
        warm_up: the number of steps of growth.
        steps: the step at which the fall ends.

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


SCHEDULES = {"cosine": cosine_rate, "linear": linear_rate}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a model is trained; the defaults are those of the paper if it gives any.

    Args:
        steps: the number of updates of the parameters, counted from the very first one.
        batch_size: the number of sentences in a batch; None leaves it to `draw_batch`.
        warm_up: the number of steps over which the learning rate grows; `train` warns if this is
            more than `steps`.
        rate: a constant learning rate instead of the paper's schedule, or None; with a `schedule`,
            the highest learning rate.
        schedule: "cosine" or "linear" makes the learning rate fall from the end of the warm-up to
            the last step.
        final_rate: the learning rate at which the schedule ends.
        weight_decay: AdamW subtracts this share of each matrix, times the learning rate; biases
            and gains do not decay.
        beta_2: how long the optimizer remembers the squares of gradients.
        accumulate: the number of batches in a step; the loss is the mean over all their tokens.
        precision: "float32", as the parameters are, or "bfloat16" for the matrix products.
        attention_dropout: the share of attention weights set to 0 during training.
        validate_every: the number of steps between two measurements of the validation loss.
        patience: training ends when this many measurements in a row are no lower than the lowest,
            and the model is then restored to the lowest; None trains to the last step.
        smoothing: the share of the target that label smoothing spreads over the vocabulary.
        clip: the greatest norm of the gradient, as one vector over all parameters; None clips
            nothing.
        seed: the seed of the random numbers for batches and for dropout.
        checkpoint_every: the number of steps between two checkpoints.

    Raises:
        ValueError: a field is out of its range.

    Source: Vaswani et al. (2017), sections 5.3 and 5.4; Pascanu et al. (2013), section 3.2, on
    clipping.

    >>> Settings(steps=100).learning_rate(1, d_model=64) == 64**-0.5 * 4000**-1.5
    True
    """

    steps: int
    batch_size: int | None = None
    warm_up: int = 4000
    rate: float | None = None
    schedule: str | None = None
    final_rate: float = 0.0
    weight_decay: float = 0.0
    beta_2: float = 0.98
    accumulate: int = 1
    precision: str = "float32"
    attention_dropout: float = 0.0
    validate_every: int = 100
    patience: int | None = None
    smoothing: float = 0.0
    clip: float | None = 1.0
    seed: int = 0
    checkpoint_every: int = 500

    def __post_init__(self) -> None:
        checks.count(0, steps=self.steps, seed=self.seed)
        checks.count(1, warm_up=self.warm_up, checkpoint_every=self.checkpoint_every)
        checks.count(1, accumulate=self.accumulate, validate_every=self.validate_every)
        checks.count(1, **checks.given(batch_size=self.batch_size, patience=self.patience))
        numbers = checks.given(rate=self.rate, clip=self.clip)
        shares = {name: getattr(self, name) for name in SHARES}
        others = {"final_rate": self.final_rate, "weight_decay": self.weight_decay}
        for name, value in {**numbers, **shares, **others}.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"{name} must be a number, got {value!r}")
        checks.positive(**numbers)
        for name, value in shares.items():
            if not 0 <= value < 1:
                raise ValueError(f"{name} must be from 0 to below 1, got {value}")
        if not 0 <= self.weight_decay < float("inf"):
            raise ValueError(f"weight_decay must be 0 or more, got {self.weight_decay}")
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision must be one of {PRECISIONS}, got {self.precision!r}")
        self._schedule_fits()

    def _schedule_fits(self) -> None:
        if self.schedule is None:
            return
        if self.schedule not in SCHEDULES:
            raise ValueError(
                f"schedule must be one of {tuple(SCHEDULES)} or None, got {self.schedule!r}"
            )
        if self.rate is None:
            raise ValueError(
                f"rate, the highest learning rate, must be given with schedule {self.schedule!r}"
            )
        if not 0 <= self.final_rate <= self.rate or self.warm_up > self.steps:
            raise ValueError(
                f"final_rate must be from 0 to rate and warm_up at most steps, got "
                f"{self.final_rate} and {self.rate}, {self.warm_up} and {self.steps}"
            )

    def learning_rate(self, step: int, *, d_model: int) -> float:
        """Return the learning rate of a step, counted from 1."""
        if self.rate is not None and self.schedule is not None:
            ends = {"highest": self.rate, "lowest": self.final_rate}
            return SCHEDULES[self.schedule](step, warm_up=self.warm_up, steps=self.steps, **ends)
        if self.rate is not None:
            return self.rate
        return warm_up_rate(step, d_model=d_model, warm_up=self.warm_up)
