"""What sentences of a text teach a pair: needed, enough, estimated, alone; over five texts.

A seed of the experiment is one with which nothing was chosen: the choices of each text were made
with the seeds of the page.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from book.experiments.setting import Figures
from course.influence.control import at_random, classes, counts
from course.influence.estimate import rank_correlation, traced
from course.influence.groups import Mask
from course.influence.pair import margin, pair_of
from course.influence.tested import STRONGEST, left_out, scores, strongest
from course.influence.trainings import WHOLE, Trainings
from course.influence.without import SEEDS, STEPS, without
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.small_decoder import Array

LANGUAGE = OwnLanguage(PRESETS["case"].rules)
ASKED = ("lupos servus videt", "lupos servus vident")
PAIR = pair_of(LANGUAGE, *ASKED)
TEXTS, SENTENCES, FALSE = (5, 6, 7, 8, 9), 150, 20
"""The seeds of the texts, sentences of each, and random groups that are given out as real ones."""
NAMED = ("Nom[sg], V[sg]", "servus", "videt")
METHODS = ("groups", "traced", "random")


def text_of(seed: int) -> list[tuple[str, ...]]:
    """Return sentences of the language, and not the one that is asked for."""
    rng = np.random.default_rng(seed)
    drawn = (LANGUAGE.sample(rng) for _ in range(2 * SENTENCES))
    return [words for words in drawn if words != PAIR.sentence][:SENTENCES]


class Choice(NamedTuple):
    """A text whose groups were left out with the seeds of the page, and what that points to."""

    of: Trainings
    lost: dict[str, Array]
    counting: list[str]
    scores: dict[str, Array]
    """Of each sentence, (sentences,), by the groups that count, and by the estimate."""


@cache
def choice(text: int) -> Choice:
    """Train a text without each of its groups, and score its sentences."""
    of = Trainings(LANGUAGE, text_of(text))
    for _ in of.train():
        pass
    found = of.influence(PAIR)
    estimates = [traced(LANGUAGE.vocabulary, of.sentences, PAIR, seed) for seed in SEEDS]
    each = {"groups": scores(found, of.groups), "traced": np.mean(estimates, axis=0)}
    return Choice(of, found.lost, found.counting, each)


def margin_without(text: int, out: Mask, seed: int) -> float:
    """Return the margin of the pair when some sentences of a text are left out."""
    words = LANGUAGE.vocabulary
    return margin(without(words, choice(text).of.sentences, out, seed), words, PAIR)


def influence(steps: int, seed: int) -> Figures:
    """Return each figure of a seed that chose nothing, with a row for each text.

    Raises:
        ValueError: the file of the experiment says other steps than the page takes.
    """
    if steps != STEPS:
        raise ValueError(f"The page takes {STEPS} steps, the experiment {steps}")
    new = seed + len(SEEDS)
    rows = [of_text(text, new) | {"false_alarms": false_alarms(text, seed)} for text in TEXTS]
    return {name: [row[name] for row in rows] for name in rows[0]}


def of_text(text: int, seed: int, *, alone: bool = True) -> dict[str, Any]:
    """Return what a new seed says of a text; the sentences one by one only where asked."""
    told = choice(text)
    whole = margin_without(text, np.zeros(SENTENCES, bool), seed)
    found: dict[str, Any] = {
        "whole": whole,
        "groups": len(told.of.groups),
        "counting": len(told.counting),
        "named": sum(name in told.counting for name in NAMED),
    }
    for method in METHODS:
        found |= needed_and_enough(text, method, whole, seed)
    return found | compared(text, whole, seed) | (singly(text, whole, seed) if alone else {})


def needed_and_enough(text: int, method: str, whole: float, seed: int) -> dict[str, list[float]]:
    """Return what is lost without the strongest, and the margin on them and random ones alone."""
    rng, needed, enough = np.random.default_rng([text, seed]), [], []
    for count in STRONGEST:
        drawn = rng.permutation(SENTENCES) < count
        chosen = drawn if method == "random" else strongest(choice(text).scores[method], count)
        outs = left_out(chosen, rng)
        needed.append(whole - margin_without(text, chosen, seed))
        enough.append(margin_without(text, outs["on_chosen"][0], seed))
    return {f"needed_{method}": needed, f"enough_{method}": enough}


def compared(text: int, whole: float, seed: int) -> dict[str, float]:
    """Return how the order of the groups agrees with another seed and with the estimate."""
    told, groups = choice(text), choice(text).of.groups
    exact = np.array([whole - margin_without(text, out, seed) for out in groups.values()])
    other = np.array([told.lost[name][0] for name in groups])
    guess = traced(LANGUAGE.vocabulary, told.of.sentences, PAIR, seed)
    sums = np.array([guess[out].sum() for out in groups.values()])
    return {
        "exact_with_exact": rank_correlation(exact, other),
        "traced_with_exact": rank_correlation(sums, exact),
    }


@cache
def one_by_one(text: int, seed: int) -> Array:
    """Return the margin of the pair without each single sentence of a text, (sentences,)."""
    return np.array([margin_without(text, out, seed) for out in np.eye(SENTENCES, dtype=bool)])


def singly(text: int, whole: float, seed: int) -> dict[str, Any]:
    """Return whether another seed confirms the influence of a sentence, and whether they add."""
    lost, other = (each - each.mean() for each in (one_by_one(text, s) for s in (seed, SEEDS[0])))
    alone = whole - one_by_one(text, seed)
    each = choice(text).scores["groups"]
    return {
        "alone_with_alone": float(np.corrcoef(lost, other)[0, 1]),
        "alone_spread": float(alone.std()),
        "alone_summed": [float(alone[strongest(each, count)].sum()) for count in STRONGEST],
    }


def false_alarms(text: int, seed: int) -> int:
    """Return how many random groups count, each as large as a real one, beside new random ones."""
    told, rng = choice(text), np.random.default_rng([seed, text])
    sizes = [int(out.sum()) for out in told.of.groups.values()]
    drawn = rng.choice(sizes, FALSE)

    def lost(out: Mask) -> Array:
        whole = [margin_of(text, s) for s in SEEDS]
        return np.array(whole) - [margin_without(text, out, s) for s in SEEDS]

    by_chance = {
        size: np.array([lost(out) for out in at_random(SENTENCES, size, rng)])
        for size in sorted({classes(sizes)[size] for size in drawn.tolist()})
    }
    groups = [(size, rng.permutation(SENTENCES) < size) for size in drawn.tolist()]
    return sum(counts(lost(out), by_chance[classes(sizes)[size]]) for size, out in groups)


def margin_of(text: int, seed: int) -> float:
    """Return the margin of the pair with a seed of the page, when nothing is left out."""
    T = choice(text).of.models[WHOLE][SEEDS.index(seed)]
    return margin(T, LANGUAGE.vocabulary, PAIR)
