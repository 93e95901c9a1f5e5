"""The numbers that are kept with a trained model, all on sentences that it was not trained on."""

import numpy as np

from transformer_lib.languages import AgreementLanguage
from transformer_lib.training.data import (
    HELD_OUT_SEED,
    Language,
    batch_of,
    held_out_sentences,
)
from transformer_lib.training.evaluation import agreement_accuracy, exact_match, loss_floor
from transformer_lib.training.kept import Model
from transformer_lib.training.loss import mean_loss

HELD_OUT = 1000  # sentences


def measures(model: Model, language: Language) -> dict[str, float]:
    """Return the loss on held-out sentences, and what else tells how good a model is.

    All have four significant digits: what the model gives on any processor.

    For the agreement language these are the floor of the loss on the same sentences and the
    accuracy at the longest distance; for the translation language the exact matches, on new
    sentences and on those with combinations of verb and object that training never meets.

    Args:
        model: of the language.
        language: an AgreementLanguage or a TranslationLanguage.
    """
    sentences = held_out_sentences(language, HELD_OUT)
    found = {"loss": mean_loss(model, batch_of(language, sentences))}
    if isinstance(language, AgreementLanguage):
        rng = np.random.default_rng(HELD_OUT_SEED)
        longest = [language.at_distance(rng, language.most) for _ in range(HELD_OUT)]
        found["floor"] = loss_floor(language, sentences)
        found["accuracy_at_longest"] = agreement_accuracy(model, language, longest)
        return {name: _four_digits(value) for name, value in found.items()}
    unseen = held_out_sentences(language, HELD_OUT, unseen=True)
    found["exact_match"] = exact_match(model, language, sentences)
    found["exact_match_unseen"] = exact_match(model, language, unseen)
    return {name: _four_digits(value) for name, value in found.items()}


def _four_digits(value: float) -> float:
    return float(f"{value:.4g}")
