"""A training that a reader starts, watches and stops."""

import asyncio
from typing import Any

import numpy as np
import pytest

from course.languages import AgreementLanguage
from course.train_view import train_view, training

LANGUAGE = AgreementLanguage(most=0)
RNG = np.random.default_rng(4)
EXAM = {"near": [LANGUAGE.sample(RNG) for _ in range(20)], "far": [LANGUAGE.at_distance(RNG, 2)]}
SETTINGS: Any = {"steps": 200, "rate": 0.01, "d_model": 16, "seed": 3}


def verbs(words: Any) -> Any:
    right, wrong = LANGUAGE.verbs["singular"], LANGUAGE.verbs["plural"]
    pair = (right, wrong) if LANGUAGE.number(words) == "singular" else (wrong, right)
    return LANGUAGE.verb(words), *pair


def parts() -> Any:
    _, row, _, *shown = train_view(
        LANGUAGE, EXAM, verbs, caption="", title="right", steps=30
    ).children
    return *row.children, *shown


def test_it_learns_and_the_exam_asks_what_the_judge_says() -> None:
    *_, last = training(LANGUAGE, EXAM, verbs, **SETTINGS)
    assert 0.9 < np.mean(last.losses[-50:]) / LANGUAGE.entropy_per_token() < 1.1
    assert last.shares["near"] == 1 and sum(fits for _, fits in last.samples) >= 2
    *_, turned = training(
        LANGUAGE, EXAM, lambda words: (verbs(words)[0], *verbs(words)[:0:-1]), **SETTINGS
    )
    assert turned.losses == last.losses and turned.shares["near"] == 0


def test_stop_ends_it_and_a_second_train_replaces_the_first() -> None:
    _, d_model, seed, steps, train, stop, said, curve, _ = parts()
    assert "After 30 steps:" in said.value and "step 30:" in curve.value

    async def press() -> None:
        train.click()
        assert "begun" in said.value
        await asyncio.sleep(0)
        assert "step 10:" in curve.value
        stop.click()
        await asyncio.sleep(0)
        assert "Stopped after 10 steps" in said.value
        for d_model.value, seed.value in ((16, 1), (64, 2)):
            train.click()
        await press_until(train, said, "After 30")

    asyncio.run(press())
    *_, last = training(LANGUAGE, EXAM, verbs, steps=30, rate=0.01, d_model=64, seed=2)
    assert f"loss {np.mean(last.losses[-10:]):.2f}" in curve.value
    steps.value = 20
    asyncio.run(press_until(train, said, "After 20 steps"))
    assert "step 20:" in curve.value


async def press_until(train: Any, said: Any, words: str) -> None:
    train.click()
    while words not in said.value:
        await asyncio.sleep(0)


def test_an_answer_whose_fields_have_changed_is_marked() -> None:
    view = train_view(LANGUAGE, EXAM, verbs, caption="", title="right", steps=30)
    (_, _, seed, *_), old = view.children[1].children, view.children[2]
    assert old.value == ""
    seed.value = 1
    assert "answer below is old" in old.value and "Press Train again" in old.value
    seed.value = 0
    assert old.value == ""


@pytest.mark.parametrize("typed", [0, 1.1, float("nan")])
def test_a_learning_rate_that_is_out_of_range_is_refused(typed: float) -> None:
    rate, _, _, _, train, _, said, *_ = parts()
    rate.value = typed
    train.click()
    assert f"learning rate must be above 0 and at most 1, got {float(typed)}" in said.value
    assert 'role="alert"' in said.value
