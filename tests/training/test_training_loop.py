import re
from typing import Any

import numpy as np
import pytest
import torch

from tests.refusals import refusals
from tests.training.small import draw, model_of, settings
from transformer_lib.training import (
    History,
    Settings,
    TrainingState,
    mean_loss,
    train,
    warm_up_rate,
)

kinds = pytest.mark.parametrize("kind", ["decoder", "rnn", "lstm"])
TEST = draw(np.random.default_rng(99))


def values(model: Any) -> Any:
    return {name: value.clone() for name, value in model.state_dict().items()}


def assert_equal(one: Any, other: Any) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


@kinds
def test_training_lowers_the_loss(kind: str) -> None:
    model = model_of(kind, dropout=0.0)
    before = mean_loss(model, TEST)
    history = train(model, draw, settings(steps=120), progress=False)
    assert mean_loss(model, TEST) < 0.6 * before
    assert np.mean(history.losses[-10:]) < 0.6 * np.mean(history.losses[:3])
    assert history.steps == len(history.norms) == len(history.rates) == 120
    assert history.seconds > 0 and not np.isnan(history.norms).any()


def test_the_seeds_alone_decide_and_no_global_state_is_touched() -> None:
    state, runs = torch.get_rng_state(), []
    for seed, noise in ((1, 5), (1, 6), (2, 7)):
        np.random.seed(noise)
        model = model_of()
        history = train(model, draw, settings(seed=seed), progress=False)
        runs.append((history.losses, values(model)))
    assert torch.equal(torch.get_rng_state(), state)
    assert runs[0][0] == runs[1][0] != runs[2][0]
    assert_equal(runs[0][1], runs[1][1])


def test_dropout_is_on_while_training_and_the_mode_is_given_back() -> None:
    for mode in (True, False):
        model = model_of().train(mode)
        seen = []

        def spy(rng: np.random.Generator, model: Any = model, seen: Any = seen) -> Any:
            seen.append(model.training)
            return draw(rng)

        train(model, spy, settings(steps=2), progress=False)
        assert seen == [True, True]
        assert model.training is mode


def test_the_rate_follows_the_paper_or_is_constant() -> None:
    history = train(model_of(), draw, settings(warm_up=10), progress=False)
    assert history.rates == [warm_up_rate(s, d_model=8, warm_up=10) for s in range(1, 31)]
    assert np.argmax(history.rates) == 9
    history = train(model_of(), draw, settings(rate=0.01), progress=False)
    assert set(history.rates) == {0.01}


@pytest.mark.parametrize("given,named", [({}, "got 4000 and 60"), (dict(warm_up=61), "61 and 60")])
def test_a_warm_up_that_outlasts_the_run_is_said_with_what_helps(given: Any, named: str) -> None:
    with pytest.warns(UserWarning, match=named) as said:
        train(model_of(), draw, Settings(steps=60, **given), progress=False)
    helps = re.search(r"Settings\(.*?\)", str(said[0].message))
    assert helps, said[0].message
    train(model_of(), draw, eval(helps.group()), progress=False)  # and a warning would be an error


def test_a_run_that_its_warm_up_does_not_outlast_says_nothing() -> None:
    for quiet in (dict(steps=9, warm_up=9), dict(steps=1, rate=0.01), dict(steps=0)):
        train(model_of(), draw, Settings(**quiet), progress=False)  # type: ignore[arg-type]


def test_no_step() -> None:
    model = model_of()
    before = values(model)
    assert train(model, draw, settings(steps=0), progress=False) == History()
    assert_equal(values(model), before)


test_bad_arguments = refusals(
    ("model must be a Transformer", lambda: train(3, draw, settings())),
    (
        "all of them are frozen.*call model.requires_grad_",
        lambda: train(model_of().requires_grad_(False), draw, settings()),
    ),
    ("draw_batch must be a function", lambda: train(model_of(), 3, settings())),
    ("settings must be Settings, got dict", lambda: train(model_of(), draw, {})),
    (
        "draw_batch must return a Batch, got int",
        lambda: train(model_of(), lambda rng: 3, settings()),
    ),
    (
        "settings.batch_size = 5 sentences, got 6",
        lambda: train(model_of(), draw, settings(batch_size=5)),
    ),
    (
        "checkpoint must end in .json",
        lambda: train(model_of(), draw, settings(), checkpoint="x.pt"),
    ),
    (
        "validation must be a list of batches",
        lambda: train(model_of(), draw, settings(), validation=[3]),
    ),
    (
        r"validation must be given if settings\.patience is given",
        lambda: train(model_of(), draw, settings(patience=2)),
    ),
    ("steps must be an integer of 0 or more", lambda: Settings(steps=-1)),
    ("batch_size must be an integer of 1", lambda: Settings(steps=1, batch_size=0)),
    ("warm_up must be an integer of 1", lambda: Settings(steps=1, warm_up=0)),
    ("rate must be positive and finite", lambda: Settings(steps=1, rate=0.0)),
    ("rate must be a number", lambda: Settings(steps=1, rate="fast")),
    ("clip must be positive and finite", lambda: Settings(steps=1, clip=-1.0)),
    ("smoothing must be from 0 to below 1", lambda: Settings(steps=1, smoothing=1.0)),
    ("seed must be an integer of 0 or more", lambda: Settings(steps=1, seed=-1)),
    ("checkpoint_every must be an integer", lambda: Settings(steps=1, checkpoint_every=0)),
    ("step must be an integer of 1", lambda: warm_up_rate(0, d_model=8, warm_up=1)),
    ("d_model must be an integer", lambda: warm_up_rate(1, d_model=0, warm_up=1)),
    ("warm_up must be an integer", lambda: warm_up_rate(1, d_model=8, warm_up=0)),
    ("steps must be an integer", lambda: TrainingState(model_of(), Settings(steps="1"))),
)


def test_a_loss_that_is_not_finite_stops_the_run() -> None:
    model = model_of()
    with torch.no_grad():
        model.embedding.tokens.fill_(float("nan"))
    with pytest.raises(ValueError, match="the loss must stay finite, got nan at step 1"):
        train(model, draw, settings(), progress=False)
