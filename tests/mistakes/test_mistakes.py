"""Each formula keeps to what is asked of it, and no mistake of the catalogue does."""

import importlib
import pkgutil
import warnings

import numpy as np
import pytest

from exercises import mistakes
from tests.mistakes import attention, decoding, embedding, heads, layer, loss, masks, training
from tests.mistakes.formula import keeps_to

pytestmark = pytest.mark.usefixtures("unhooked")
TESTED = (attention, decoding, embedding, heads, layer, loss, masks, training)
FORMULAS = {name: formula for topic in TESTED for name, formula in topic.FORMULAS.items()}
TOPICS = [
    importlib.import_module(f"{mistakes.__name__}.{found.name}")
    for found in pkgutil.iter_modules(mistakes.__path__)
]
MISTAKES = {
    name: value
    for topic in TOPICS
    for name, value in vars(topic).items()
    if "__" in name.strip("_")
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_formula_keeps_to_what_is_asked(name):
    assert keeps_to(FORMULAS[name].right, FORMULAS[name])


@pytest.mark.parametrize("name", MISTAKES)
def test_the_mistake_does_not(name):
    formula = FORMULAS[name.partition("__")[0]]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            kept = keeps_to(MISTAKES[name], formula)
        except (ArithmeticError, LookupError, ValueError, RuntimeError):
            kept = False  # shapes that do not fit, or a row that is not there
    assert not kept


def test_every_mistake_says_in_a_sentence_what_went_wrong():
    for name, mistake in MISTAKES.items():
        sentence = mistake.__doc__ or ""
        assert sentence.endswith(".") and sentence[0].isupper() and "\n" not in sentence, name


def test_every_formula_has_its_mistakes():
    assert {name.partition("__")[0] for name in MISTAKES} == FORMULAS.keys()
    assert len(MISTAKES) >= 200
