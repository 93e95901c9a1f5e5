"""The numbers that are kept with a trained model, all on sentences that it was not trained on."""

import numpy as np

from transformer_lib.languages import AgreementLanguage, FactLanguage, GapLanguage
from transformer_lib.training.data import (
    HELD_OUT_SEED,
    Language,
    batch_of,
    held_out_sentences,
)
from transformer_lib.training.evaluation import (
    agreement_accuracy,
    exact_match,
    expected_loss,
    known_facts,
    loss_floor,
)
from transformer_lib.training.kept import Model
from transformer_lib.training.loss import mean_loss
from transformer_lib.training.real_text import RealText
from transformer_lib.training.validation import token_loss

HELD_OUT = 1000  # sentences


def measures(model: Model, language: Language | RealText) -> dict[str, float]:
    """Return the loss on held-out sentences, and what else tells how good a model is.

    All have four significant digits: what the model gives on any processor.

    For the agreement language these are the floor of the loss on the same sentences and the
    accuracy at the longest distance; for the translation language the exact matches, on new
    sentences and on those with combinations of verb and object that training never meets. Of a
    language with gaps it is the loss alone. The loss on the fact language is the expected one, over
    all its sentences, with its floor, what it exceeds the floor by, and the share of the facts that
    are known. For real text the loss is that of the test, beside the bits per byte of test and
    validation.

    Args:
        model: of the language.
        language: one of the toy languages, or a RealText.
    """
    if isinstance(language, RealText):
        return _of_text(model, language)
    if isinstance(language, FactLanguage):
        loss, floor = expected_loss(model, language), language.entropy_per_token()
        found = {"loss": loss, "floor": floor, "excess": loss - floor}
        found["known"] = known_facts(model, language)
        return {name: _four_digits(value) for name, value in found.items()}
    sentences = held_out_sentences(language, HELD_OUT)
    found = {"loss": mean_loss(model, batch_of(language, sentences))}
    if isinstance(language, GapLanguage):
        return {name: _four_digits(value) for name, value in found.items()}
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


def _of_text(model: Model, text: RealText) -> dict[str, float]:
    losses = {part: token_loss(model, text.windows(part)) for part in ("test", "validation")}
    found = {"loss": losses["test"], "bits_per_byte": text.bits_per_byte(losses["test"], "test")}
    found["validation"] = text.bits_per_byte(losses["validation"], "validation")
    return {name: _four_digits(value) for name, value in found.items()}


def _four_digits(value: float) -> float:
    return float(f"{value:.4g}")
