"""Learning rates beside those of torch, and the settings that ask for them."""

import math
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from tests.refusals import refusals
from tests.training.small import settings
from transformer_lib.training import Settings, cosine_rate, linear_rate

ENDS: Any = dict(highest=0.3, lowest=0.03, warm_up=7, steps=40)


def rates_of_torch(falling: Any) -> list[float]:
    """Return the rates until the fall ends; after that the cosine of torch rises again."""
    parameter = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([parameter], lr=0.3)
    warming = lr_scheduler.LambdaLR(optimizer, lambda step: step / 7)
    found = []
    for step in range(41):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        (warming if step < 7 else falling).step()
        if step == 6:
            falling = falling(optimizer)
    return found


@pytest.mark.parametrize(
    ("rate", "falling"),
    [
        (cosine_rate, lambda each: lr_scheduler.CosineAnnealingLR(each, 33, eta_min=0.03)),
        (linear_rate, lambda each: lr_scheduler.LinearLR(each, 1.0, 0.1, 33)),
    ],
)
def test_a_falling_rate_is_that_of_torch(rate: Any, falling: Any) -> None:
    ours = [rate(step, **ENDS) for step in range(41)]
    assert ours == pytest.approx(rates_of_torch(falling), abs=1e-12)
    assert rate(60, **ENDS) == pytest.approx(0.03, abs=1e-15)


def test_without_a_warm_up_it_begins_at_the_highest() -> None:
    for rate in (cosine_rate, linear_rate):
        assert rate(0, highest=2, lowest=1, warm_up=0, steps=3) == 2
        assert rate(0, highest=2, lowest=1, warm_up=0, steps=0) == 1


@pytest.mark.parametrize("schedule", ["cosine", "linear"])
def test_the_settings_count_from_1_and_end_at_the_last_step(schedule: str) -> None:
    ours = settings(schedule=schedule, rate=0.5, final_rate=0.1, warm_up=5, steps=30)
    assert ours.learning_rate(1, d_model=8) == pytest.approx(0.1)
    assert ours.learning_rate(5, d_model=8) == 0.5
    assert ours.learning_rate(30, d_model=8) == pytest.approx(0.1, abs=1e-15)


test_bad_settings = refusals(
    ("schedule must be one of", dict(schedule="step", rate=0.1)),
    ("must be given with schedule 'cosine'", dict(schedule="cosine")),
    ("final_rate must be from 0 to rate", dict(schedule="linear", rate=0.1, final_rate=0.2)),
    ("warm_up at most steps, got 0.0 and", dict(schedule="linear", rate=0.1, warm_up=101)),
    ("weight_decay must be 0 or more, got -0.1", dict(weight_decay=-0.1)),
    ("weight_decay must be 0 or more", dict(weight_decay=math.nan)),
    ("weight_decay must be a number, got '0.1'", dict(weight_decay="0.1")),
    ("beta_2 must be from 0 to below 1", dict(beta_2=1.0)),
    ("attention_dropout must be from 0 to below 1", dict(attention_dropout=1)),
    ("precision must be one of", dict(precision="float16")),
    ("accumulate must be an integer of 1 or more", dict(accumulate=0)),
    ("validate_every must be an integer of 1 or more", dict(validate_every=0)),
    ("patience must be an integer of 1 or more", dict(patience=0)),
    of=lambda changes: Settings(**(dict(steps=100, warm_up=10) | changes)),
)


test_bad_rates = refusals(
    *(
        (message, (rate, bad))
        for rate in (cosine_rate, linear_rate)
        for message, bad in (
            ("step must be an integer of 0 or more", dict(step=-1)),
            ("steps must be an integer of 7 or more, got 6", dict(steps=6)),
            ("highest must be positive", dict(highest=0.0)),
            ("lowest must be from 0 to highest = 0.3, got 0.4", dict(lowest=0.4)),
        )
    ),
    of=lambda given: given[0](**(dict(step=1) | ENDS | given[1])),
)
