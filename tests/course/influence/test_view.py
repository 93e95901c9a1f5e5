"""The view of influence: what is typed, pressed and shown."""

import asyncio
import re
from typing import Any

import numpy as np
import pytest

from course.influence import trainings as trained, view as viewed
from course.influence.groups import groups
from course.influence.tested import Outcome
from course.influence.view import influence_view
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from transformer_lib.plot.markup import Markup

LANGUAGE = OwnLanguage(PRESETS["case"].rules)
RNG = np.random.default_rng(5)
TEXT = [LANGUAGE.sample(RNG) for _ in range(60)]
PAIR = ("equos servus videt", "equos servus vident")


class Parts:
    """The view of a text with two groups, in a page: nothing is trained yet."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, margins: Any = None) -> None:
        few = {
            name: mask
            for name, mask in groups(LANGUAGE, TEXT).items()
            if name in ("servus", "equi")
        }
        monkeypatch.setattr(trained, "groups", lambda *_: few)
        monkeypatch.setattr(viewed.sys, "platform", "emscripten")
        if margins is not None:
            monkeypatch.setattr(trained, "without", lambda _, __, out, seed: (out.sum(), seed))
            monkeypatch.setattr(trained, "margin", lambda T, *_: margins(*T))
        self.box = influence_view(trained.Trainings(LANGUAGE, TEXT), PAIR, caption="Train.")
        _, self.right, self.wrong, press, self.said, self.found, *rest = self.box.children
        choice, self.testing, self.tested, self.text, use, self.read = rest
        (self.train, self.stop), (self.count, self.test) = press.children, choice.children
        self.use = use.children[0]

    async def all(self) -> None:
        """Press Train, and wait for the last training."""
        total = self.said.value.split("of ")[1].split(" ")[0]
        await self.until(self.train, self.said, f">{total} of {total} ")
        await asyncio.sleep(0)  # the last training is over

    async def until(self, button: Any, field: Any, word: str) -> None:
        """Press, and wait for what is said."""
        button.click()
        for _ in range(500):
            await asyncio.sleep(0)
            if word in field.value:
                return
        raise AssertionError(f"{word} is not in {field.value}")


def constant(out: int, seed: int) -> float:
    """Return a margin that falls with each sentence that is left out."""
    return 5 + seed / 100 - out / 100


def test_a_press_trains_and_what_is_done_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    assert ">0 of " in parts.said.value and not parts.found.value

    async def use() -> None:
        await parts.until(parts.train, parts.said, ">4 of ")
        await parts.until(parts.test, parts.testing, "Another computation goes on")
        parts.stop.click()
        await asyncio.sleep(0)
        assert "Stopped" in parts.said.value
        await parts.all()

    asyncio.run(use())
    assert parts.found.value.count("<tr>") == 3, "a head and two groups"
    assert "5.0 (5.0 to 5.0)" in parts.found.value


def test_a_row_marks_the_sentences_of_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    asyncio.run(parts.all())
    rows = re.findall(
        r'value="(\d)" id="[\w-]+" aria-label="Mark the sentences of (\w+)"', parts.found.value
    )
    assert sorted(name for _, name in rows) == ["equi", "servus"]
    for number, name in rows:
        marked = re.findall(
            rf'<li class="[^"]*g{number}[^"]*">([a-z ]+) <small>', parts.found.value
        )
        assert marked and {*marked} == {" ".join(w) for w in TEXT if name in w}


def test_another_pair_is_answered_without_training(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    asyncio.run(parts.all())
    monkeypatch.setattr(trained, "without", None)
    parts.right.value, parts.wrong.value = "servos equus amat", "servos equus amant"
    assert "<i>amat</i> over <i>amant</i>" in parts.found.value
    parts.right.value = "servos equus"
    assert "as many words" in parts.found.value and 'role="alert"' in parts.found.value


def test_what_is_not_learned_is_not_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, lambda out, seed: seed - 0.5)
    asyncio.run(parts.until(parts.train, parts.found, "not learned"))
    assert "-0.5, 0.5, 1.5" in parts.found.value and "<table" not in parts.found.value


def test_a_pair_of_the_text_is_said_to_be_no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    parts.right.value, parts.wrong.value = " ".join(TEXT[0]), "servus"
    asyncio.run(parts.until(parts.train, parts.found, "alert"))
    read = next(words for words in TEXT if words[2] == "videt")
    parts.right.value, parts.wrong.value = " ".join(read), " ".join([*read[:2], "vident"])
    assert f"has this sentence {TEXT.count(read)}" in parts.found.value


def test_the_strongest_are_tested_with_new_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    asyncio.run(parts.until(parts.test, parts.testing, "Press"))
    found = Outcome(*np.ones((2, 3)), np.ones((4, 3)), np.ones(3), np.ones((4, 3)))
    monkeypatch.setattr(viewed.Trial, "run", lambda self: iter((1, 2)))
    monkeypatch.setattr(viewed.Trial, "outcome", lambda self: found)
    monkeypatch.setattr(trained.Influence, "counting", property(lambda of: [*of.lost]))

    async def use() -> None:
        await parts.all()
        parts.count.value = 15
        await parts.until(parts.test, parts.tested, "15 strongest")

    asyncio.run(use())
    assert "only on 30 random ones" in parts.tested.value and "seeds 3, 4, 5" in parts.tested.value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lupus\n" * 50, "Line 1: no rule makes &#x27;lupus&#x27;"),
        ("lupos servus videt", "40 to 400 lines, got 1"),
    ],
)
def test_a_text_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    parts = Parts(monkeypatch, constant)
    monkeypatch.setattr(trained, "groups", groups)
    parts.text.value = text
    asyncio.run(parts.until(parts.use, parts.read, why))


def test_a_text_of_the_reader_takes_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    monkeypatch.setattr(trained, "groups", groups)
    parts.text.value = "\n".join(["lupus servum videt"] * 20 + ["lupi servum vident"] * 20)
    asyncio.run(parts.until(parts.use, parts.read, "text of 40 sentences"))
    assert "lupus servum videt <small>" in parts.found.value


def test_the_sentence_that_is_asked_is_no_strongest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    monkeypatch.setattr(trained.Influence, "counting", property(lambda of: [*of.lost]))
    chosen: list[Any] = []
    monkeypatch.setattr(viewed, "Trial", lambda of, pair, out: chosen.append(out) or Nothing())
    monkeypatch.setattr(viewed, "verdict", lambda *_: Markup("<p>tested</p>", ""))
    asked = next(words for words in TEXT if "servus" in words and words[2] == "videt")
    parts.right.value, parts.wrong.value = " ".join(asked), " ".join([*asked[:2], "vident"])

    async def use() -> None:
        await parts.all()
        await parts.until(parts.test, parts.tested, "tested")

    asyncio.run(use())
    assert chosen[0].sum() == 5
    assert asked not in [words for words, out in zip(TEXT, chosen[0], strict=True) if out]


def test_a_test_of_an_earlier_pair_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(monkeypatch, constant)
    monkeypatch.setattr(trained.Influence, "counting", property(lambda of: [*of.lost]))
    monkeypatch.setattr("course.influence.tested.without", lambda *_: None)
    monkeypatch.setattr("course.influence.tested.margin", lambda *_: 1.0)

    async def use() -> None:
        await parts.all()
        await parts.until(parts.test, parts.testing, ">3 of ")
        parts.right.value, parts.wrong.value = "servos equus amat", "servos equus amant"
        for _ in range(60):
            await asyncio.sleep(0)

    asyncio.run(use())
    assert not parts.testing.value and not parts.tested.value


class Nothing:
    """A test without trainings."""

    total = 0

    def run(self) -> Any:
        return iter(())

    def outcome(self) -> None:
        return None
