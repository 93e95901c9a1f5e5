"""The assignment on a language of one's own: which part a mistake costs, and its stored logits."""

import numpy as np
import pytest

from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.small_decoder import forward, start, train
from course.train_view import batch_of
from tests.exercises.assignments import answers, code_cells, grade

NAME = "19_own_language"
LOST = {
    "hand_entropy__each_symbol_once": "sentence",
    "hand_entropy__plain_mean": "sentence",
    "hand_entropy__all_alike": "choices sentence",
    "hand_entropy__nats": "choices sentence",
    "entropy__nats": "one-rule nested weights twice",
    "entropy__first_rule_only": "nested twice",
    "entropy__not_times_p": "nested",
    "entropy__weights_for_probabilities": "weights",
    "entropy__a_set_of_symbols": "twice",
    "entropy__each_symbol_once": "nested twice",
    "slip__first_noun": "rule",
    "slip__most_nouns": "pairs rule",
    "slip__middle_noun": "pairs",
}


@pytest.mark.parametrize("mutant", LOST)
def test_a_mistake_costs_the_parts_that_it_is_about(mutant):
    task = mutant.partition("__")[0]
    _, errors = grade(NAME, {task: answers(NAME, "mutants")[mutant]}, only=task)
    failed = [cell.removeprefix(f"{task}-check-") for cell in errors]
    assert failed == LOST[mutant].split()


def test_the_stored_logits_are_those_of_the_model_of_the_chapter():
    (cell,) = [cell.source for cell in code_cells(NAME) if cell.id == "verb_logits"]
    space = {}
    exec(cell, space)
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
