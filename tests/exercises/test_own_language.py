"""The logits that the assignment on a language of one's own stores are those of its model."""

import numpy as np

from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.small_decoder import forward, start, train
from course.train_view import batch_of
from tests.exercises.assignments import code_cells

NAME = "19_own_language"


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
