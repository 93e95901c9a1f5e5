"""A reader's own language on the front page: JavaScript reads, refuses and trains as the course.

The front page also refuses what its picture has no room for, or what would take it too long.
"""

import itertools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book import npm
from book.html import flow_weights
from book.paths import ROOT
from course.languages import refusals
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.small_decoder import forward, loss_and_gradients, start
from course.train_view import batch_of

RULES = PRESETS["agreement"].rules


def chain(length: int, end: str) -> str:
    """Rules that each become the next, which no recursion of Python could follow to the end."""
    names = [chr(97 + i // 26) + chr(97 + i % 26) for i in range(length)]
    lines = [f"{a}->{b}" for a, b in itertools.pairwise(names)]
    return "\n".join([*lines, f"{names[-1]}->{end}"])


def doubling(depth: int, weight: int = 1) -> str:
    """A word and then nothing, by a number of steps that doubles with each rule."""
    twice = [f"A{i} -> A{i + 1} A{i + 1}\n" for i in range(depth)]
    return "".join([f"S -> a A0 | {weight}: b | c | d\n", *twice, f"A{depth} ->"])


HOSTILE = [
    "S -> __proto__ C | constructor C\nC -> toString | hasOwnProperty",
    "constructor -> a __proto__ | b __proto__\n__proto__ -> valueOf | 2: c",
    "__proto__ = constructor toString\nS -> N[__proto__] V[__proto__]!\nN[constructor] -> a\n"
    "N[toString] -> b\nV[constructor] -> c\nV[toString] -> $& | {rules}",
    'S -> "Ada" x | "a!" c\n\n# nothing\n\v\x1c\u2028',
    "\ufeffS → “Ada” cafe\u0301 | ٢: b\u3000c | «D» \U0001f600\x85\n",
    "n = sg pl\nn = a b\nS -> N[n , n] V[n]!\nN[a,a] -> x\nN[b,b] -> y\nV[a] -> v\nV[b] -> w",
    "S -> \ud800 a | \udfff b | c d",
    "S -> 1000000000000: a | b | 0.000000000001: c | d",
    chain(480, "w x | y z"),
]
RIGHT = [text for each in PRESETS.values() for text in (each.rules, each.against) if text] + HOSTILE
LONG = "1" + 400 * "0"
WRONG = [
    *["", "# nothing", "S", "S the N", "n =", "= sg", "a b = c", "n = sg pl\ng = f m n", "-> a"],
    *["n = sg\nS[n] -> a | b | c | d", "S T -> a", "S! -> b", '"S" -> b', "S] -> it's"],
    *["a\"' -> b", "S -> -1: a | b", "S -> 0: a | b", "S -> 0.00: a", "S -> x: a", "S -> ٠: a | b"],
    *["S -> 1.: a", f"S -> {LONG}: a | b", "S -> 9999999999999: a | b"],
    *[f"S -> {LONG}: a | {LONG}: b", f"S -> 0.{400 * '0'}1: a | b"],
    *[f"S -> 0.{315 * '0'}1: a | 1000000000000: b", "S -> a ]b", 'S -> the "N', 'S -> ""'],
    *["S -> a!b", "S -> [x]", "S -> N[]", "S -> \x00[ | b", "n = sg pl\nS -> N[dual]"],
    *["n = sg pl\nS -> N[n,]", "S -> N[x]", "n = it's \"\nS -> N[\\\x7f]"],
    *["n = \u200b\u00ad \U000e0001\nS -> N[\ud800]", "S -> der 'Hund'", "S -> '''' | a]"],
    *["S -> $'[", "S -> cat 3 | dog", "S -> 1,5 cat", "S -> ٣ a", "n = sg\ng = f\nS -> N[n g]"],
    *["S -> N[n", "n = sg pl\nS -> N[n]\nN[sg] -> cat", "S -> hello!", "S -> the Cat"],
    *["S -> Ärger", "S -> Ǆa", "S -> A1", "S -> a T\nT -> b\nU -> c"],
    *["n = a b\nS -> N[a]\nN[a] -> x\nN[b] -> y", "S -> 'a[b'", 'S -> a T\nT -> "T"', 'S -> "a["'],
    *["S -> S a", "S -> A a\nA -> | S", "S -> a T\nT -> | T b"],
    *["S -> B a | A b\nA -> B c | d\nB -> A e | f", "S -> | S", "S -> A\nA -> E A | a\nE -> | e"],
    *["S -> a S", "S -> a S S | b", "S -> 3: a S S | 2: b", "S -> a T\nT -> b U\nU -> c T U | d"],
    "S -> 0.5: a | a T U V\nT -> c | U a c\nU -> 2: S\nV -> 2: c V | 2: f b",
    *["S -> a T\nT -> </s>", "S -> <s> <pad> <unk> <s>", "<s> -> a b <s>", "S -> a <s>\n<s> -> b"],
    *["S -> a T\nT -> 9: b T |", "S -> a T\nT -> 99: b U |\nU -> 99: c T |", "S -> " + 41 * "a "],
    *["S -> a T\nT -> b U | U b\nU -> b | c", "S -> 9999: a | b | T\nT -> b", "S -> a | a"],
    *["S -> a T\nT -> b U | c\nU -> | V\nV -> | d", "S -> a b | T b\nT -> a | it's\""],
    *["S -> | T\nT ->", "S -> a T\nT -> b U T |\nU -> b |"],
    "S -> 9: b | a T U\nT -> |\nU -> S | T b",
    *["S -> 2: f | a T | a T U\nT -> d | | f c\nU -> | a S", "S -> a T!\nT -> b"],
    *["S -> T! a | b\nT -> | c", "n = x y\nS -> a T[n]!\nT[x] -> b\nT[y] ->", "S -> "],
    *["S -> " + " | ".join(f"w{i}" for i in range(81)), "S -> a\n__proto__ -> b"],
    "n = " + " ".join(f"v{i}" for i in range(501)) + "\nS -> N[n]",
    "".join(f"f{i} = a b\n" for i in range(60))
    + f"S -> N[{','.join(f'f{i}' for i in range(60))}] x",
    *["S -> constructor!", "S -> N[__proto__]", "constructor -> a constructor", "S -> \ud800[ a"],
    *[RULES.replace("V[sg] ->", "V[sg]! ->"), RULES.replace("V[pl] -> sleep | sing", "")],
    *[RULES.replace("m = sg pl", "m = n sg"), RULES + "\nnothing here"],
    *["import os; os.remove('x')", chain(450, "wow | wow"), chain(500, "w | x")],
]
"""What both refuse, with one sentence."""

FRONT = {
    "S -> a | b c": "a vocabulary must have 4 words or more for the picture, got 3",
    RULES + "#" * (4001 - len(RULES)): "rules must have at most 4000 characters here, got 4001",
    doubling(30, 10**12): "these rules take too long to be checked here",
    doubling(13): "these rules take too long to be checked here",
}
"""What only the front page refuses; of the third, Python's parser never ends."""

STEPS, STAYS = 250, {"two-rules"}
LOOKS = len(range(0, STEPS, 20))
UNTRAINED = {"rules": RULES, "seed": 0, "steps": 1}
STOPPED = {"rules": RULES, "seed": 0, "steps": STEPS, "stop": 25}
REFUSED = {"rules": "S -> S a", "seed": 0, "steps": 5}


def batch(text: str) -> tuple[OwnLanguage, dict[str, Any], list[tuple[str, ...]]]:
    """A language, the start of a model and sentences."""
    language, rng = OwnLanguage(text), np.random.default_rng(0)
    T = start(rng, len(language.vocabulary))
    return language, T, [language.sample(rng) for _ in range(8)]


def told(texts: list[str], trainings: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """What Node.js answers."""
    batches = []
    for language, T, sentences in map(batch, texts[: len(RIGHT)]):
        ids = [language.vocabulary.encode(each, start=True, end=True) for each in sentences]
        batches.append({"T": {name: W.tolist() for name, W in T.items()}, "sentences": ids})
    script = folder / "refusals.js"
    script.write_text(flow_weights.script("tlRefusals", refusals.DATA), "utf-8")
    given = json.dumps({"texts": texts, "batches": batches, "trainings": trainings})
    command = [npm.node(), "tests/javascript/own_values.mjs", str(script)]
    done = subprocess.run(
        command, cwd=ROOT, input=given, capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    texts = [*RIGHT, *WRONG, *FRONT]
    return told(texts, [UNTRAINED, STOPPED, REFUSED], tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def answers(node: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What becomes of each text."""
    return dict(zip([*RIGHT, *WRONG, *FRONT], node["languages"], strict=True))


def refusal(text: str) -> str:
    with pytest.raises(ValueError) as refused:
        OwnLanguage(text)
    return str(refused.value)


@pytest.mark.parametrize("text", RIGHT, ids=range(len(RIGHT)))
def test_rules_are_read_as_in_the_course(text: str, answers: dict[str, dict[str, Any]]) -> None:
    language, found = OwnLanguage(text), answers[text]
    assert found["words"] == list(language.words)
    assert found["forms"] == language.forms
    for words, following in zip(found["drawn"], found["next"], strict=True):
        assert language.log_probability(words) > -np.inf
        chances = language.next_probabilities(words[: len(words) >> 1])
        assert {word or "</s>" for word in following} == {w for w, p in chances.items() if p}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_the_course_refuses_is_refused_with_its_sentence(
    text: str, answers: dict[str, dict[str, Any]]
) -> None:
    assert answers[text].get("error") == refusal(text)
    assert answers[text]["type"] == "RangeError"


def test_each_sentence_of_the_data_refuses_a_text(answers: dict[str, dict[str, Any]]) -> None:
    errors = [answers[text]["error"] for text in (*WRONG, *FRONT)]
    for name, sentence in {**refusals.DATA["says"], **refusals.DATA["page"]["says"]}.items():
        parts = re.split(r"\{\w+\}", sentence)
        assert any(all(part in error for part in parts) for error in errors), name


@pytest.mark.parametrize("text", FRONT, ids=range(len(FRONT)))
def test_what_only_the_front_page_refuses(text: str, answers: dict[str, dict[str, Any]]) -> None:
    assert answers[text].get("error") == FRONT[text]


def test_no_text_takes_long(answers: dict[str, dict[str, Any]]) -> None:
    assert max(each["seconds"] for each in answers.values()) < 4


@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_losses_and_gradients_are_those_of_the_course(number: int, node: dict[str, Any]) -> None:
    language, T, sentences = batch(RIGHT[number])
    loss, gradients = node["losses"][number]
    expected, G = loss_and_gradients(T, *batch_of(language.vocabulary, sentences))
    assert loss == pytest.approx(expected, abs=1e-9)
    assert gradients.keys() == G.keys()
    for name, array in G.items():
        np.testing.assert_allclose(gradients[name], array.ravel(), 0, 1e-9, err_msg=name)


@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_the_picture_computes_the_logits_of_the_course(number: int, node: dict[str, Any]) -> None:
    language, T, sentences = batch(RIGHT[number])
    ids = language.vocabulary.encode(sentences[0], start=True, end=True)
    expected = forward(T, np.array(ids))[0]
    np.testing.assert_allclose(node["pictured"][number], expected, 0, 1e-9)


def test_an_untrained_model_gets_no_turns(node: dict[str, Any]) -> None:
    first, last = node["trained"][0]
    assert (first["kind"], last["kind"], last["steps"]) == ("step", "done", 1)
    assert last["share"] <= 0.9
    assert last["turns"] == []
    assert len(last["sentences"]) == 4


def test_a_training_that_is_stopped_says_no_more(node: dict[str, Any]) -> None:
    steps = [(each["kind"], each["step"]) for each in node["trained"][1]]
    looked, passed = [("step", 1), ("step", 21)], [("loss", step) for step in range(5, 26, 5)]
    assert steps == sorted(looked + passed, key=lambda each: each[1])


def test_a_training_of_wrong_rules_says_why(node: dict[str, Any]) -> None:
    assert node["trained"][2] == [{"kind": "refused", "why": refusal("S -> S a")}]


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_a_trained_model(name: str, tmp_path: Path) -> None:
    asked = {"rules": PRESETS[name].rules, "seed": 0, "steps": STEPS}
    (messages,) = told([], [asked], tmp_path)["trained"]
    last = messages[-1]
    language = OwnLanguage(PRESETS[name].rules)
    assert [each["kind"] for each in messages].count("step") == LOOKS
    assert last["kind"] == "done"
    assert last["sizes"]["E"] == 32 * len(language.vocabulary)
    assert last["share"] > 0.9
    assert last["loss"] < 0.5 * messages[0]["loss"]
    assert len({each["first"] for each in messages if "first" in each}) == LOOKS + 1  # copies
    assert bool(last["turns"]) == (name not in STAYS)
    for words in [each["before"] for each in last["turns"]] + last["sentences"]:
        assert language.next_probabilities(words)
