"""What the assignment on a language of one's own stores of its models is what they give."""

from functools import cache

import numpy as np

from course.influence import control
from course.influence.groups import groups
from course.influence.pair import margin, pair_of
from course.influence.without import NEW_SEEDS, SEEDS, without
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.small_decoder import forward, start, train
from course.train_view import batch_of
from tests.exercises.assignments import code_cells

NAME = "19_own_language"
CASE = OwnLanguage(PRESETS["case"].rules)
PAIR = pair_of(CASE, "lupos servus videt", "lupos servus vident")
COUNTING = [("servus", SEEDS), ("servus", NEW_SEEDS), ("lupos", SEEDS)]


def given(name):
    """Return the names that a cell defines."""
    (cell,) = [cell.source for cell in code_cells(NAME) if cell.id == name]
    space = {}
    exec(cell, space)
    return space


def test_the_stored_logits_are_those_of_the_model_of_the_chapter():
    space = given("verb_logits")
    language = OwnLanguage(PRESETS["two-rules"].rules)
    rng = np.random.default_rng(0)
    T = start(rng, len(language.vocabulary))

    def draw():
        return batch_of(language.vocabulary, [language.sample(rng) for _ in range(16)])

    for _ in train(T, draw, steps=400):
        pass
    verbs = language.vocabulary.encode(["sleeps", "sings", "sleep", "sing"])
    for beginning, stored in space["verb_logits"].items():
        ids = language.vocabulary.encode(beginning.split(), start=True)
        assert np.allclose(forward(T, np.array(ids))[0][-1, verbs], stored, atol=0.02)


def text_of_150():
    """Return the training text of Task 6, which does not contain the sentence asked about."""
    rng, text = np.random.default_rng(19), []
    while len(text) < 150:
        words = CASE.sample(rng)
        text += [words] if tuple(words) != PAIR.sentence else []
    return text


MASKS = groups(CASE, text_of_150())


def lost(out):
    """Return what the margin loses without some sentences, (seeds,)."""
    return margins(np.zeros(150, bool)) - margins(out)


@cache
def margins_without(out):
    text, words, out = text_of_150(), CASE.vocabulary, np.frombuffer(out, bool)
    return [margin(without(words, text, out, seed), words, PAIR) for seed in SEEDS + NEW_SEEDS]


def margins(out):
    """Return the margins with all seeds when some sentences are left out; trained once."""
    return np.array(margins_without(out.tobytes()))


def test_the_stored_losses_are_those_of_trainings_without_a_group():
    for group, (size, *stored) in given("group_losses")["group_losses"].items():
        assert MASKS[group].sum() == size
        for seeds, (loss, *_) in zip((SEEDS, NEW_SEEDS), stored, strict=True):
            assert abs(lost(MASKS[group])[list(seeds)].mean() - loss) < 0.006


def test_the_stored_control_is_that_of_random_groups_of_the_same_size(monkeypatch):
    monkeypatch.setattr(control, "RANDOM", 10)  # as the task says; the page has fewer
    random, matched = control.matched(MASKS, 0)
    for group, (_, *stored) in given("group_losses")["group_losses"].items():
        by_chance = np.array([lost(random[name]) for name in matched[group]])
        for seeds, (loss, mean, deviation) in zip((SEEDS, NEW_SEEDS), stored, strict=True):
            means = by_chance[:, seeds].mean(axis=1)
            found = means.mean(), means.std(ddof=1)
            assert np.allclose(found, (mean, deviation), atol=0.006)
            is_far = abs(loss - mean) > control.FAR * deviation
            counts = control.counts(lost(MASKS[group])[list(seeds)], by_chance[:, seeds])
            assert counts == is_far == ((group, seeds) in COUNTING)
