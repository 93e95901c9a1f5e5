"""The data of a run: batches that a toy language draws afresh, and sentences kept for the test."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from course.languages import AgreementLanguage, FactLanguage, GapLanguage, TranslationLanguage
from transformer_lib.formulas import checks
from transformer_lib.training.batches import (
    Batch,
    DrawBatch,
    gap_batch,
    language_model_batch,
    translation_batch,
)

Language = AgreementLanguage | FactLanguage | GapLanguage | TranslationLanguage

HELD_OUT_SEED = 20170612  # no run of ours draws its training sentences from this seed


def batch_of(language: Language, sentences: Sequence[Any]) -> Batch:
    """Turn sentences of a language, or its pairs, into a batch.

    Raises:
        ValueError: language is not one of the toy languages, or its vocabulary lacks a word.
    """
    if isinstance(language, TranslationLanguage):
        return translation_batch(sentences, language.source_vocabulary, language.target_vocabulary)
    if isinstance(language, GapLanguage):
        return gap_batch(sentences, language.vocabulary, marks=language.marks)
    return language_model_batch(sentences, _known(language).vocabulary)


def draws_from(language: Language, batch_size: int, *, without: Collection[Any] = ()) -> DrawBatch:
    """Return what `train` draws its batches from: new sentences of a language at every step.

    Pairs whose combination of verb and object is held out are drawn again, and so are the pairs in
    `without`. Sentences of the other languages are never drawn again, for that would change their
    probabilities.

    Args:
        language: one of the toy languages.
        batch_size: sentences a batch.
        without: pairs that training must not see.

    Raises:
        ValueError: language is none, batch_size is not an integer of 1 or more, or `without` is
            given for another than a TranslationLanguage.

    >>> draw = draws_from(AgreementLanguage(most=1), batch_size=3)
    >>> draw(np.random.default_rng(0)).ids.shape[0]
    3
    """
    checks.count(1, batch_size=batch_size)
    banned = {pair.source for pair in without}
    if banned and not isinstance(language, TranslationLanguage):
        raise ValueError(f"without is for a TranslationLanguage, got {language!r}")
    _known(language)

    def draw(rng: np.random.Generator) -> Batch:
        return batch_of(language, [_seen(language, rng, banned) for _ in range(batch_size)])

    return draw


def held_out_sentences(language: Language, count: int, *, unseen: bool = False) -> list[Any]:
    """Return the sentences that models are measured on, the same at every call.

    Pairs of the translation language are all different; give them to `draws_from` and training
    never meets them. Those of other languages are drawn like any others, so short ones repeat and a
    model has met them.

    Args:
        language: one of the toy languages.
        count: how many.
        unseen: pairs with a combination of verb and object that training never meets, instead of
            those without.

    Raises:
        ValueError: language is none, count is not an integer of 1 or more, or `unseen` is given for
            another than a TranslationLanguage.
    """
    checks.count(1, count=count)
    rng = np.random.default_rng(HELD_OUT_SEED)
    if not isinstance(_known(language), TranslationLanguage) and not unseen:
        return [language.sample(rng) for _ in range(count)]
    if not isinstance(language, TranslationLanguage):
        raise ValueError(f"unseen is for a TranslationLanguage, got {language!r}")
    found: dict[Any, Any] = {}
    while len(found) < count:
        pair = language.sample(rng)
        if language.held_out(pair) == unseen:
            found[pair.source] = pair
    return list(found.values())


def _seen(language: Language, rng: np.random.Generator, banned: set[Any]) -> Any:
    """Draw a sentence that training may see."""
    if not isinstance(language, TranslationLanguage):
        return language.sample(rng)
    while True:
        pair = language.sample(rng)
        if pair.source not in banned and not language.held_out(pair):
            return pair


def _known(language: Any) -> Any:
    if not isinstance(language, Language):
        raise ValueError(f"language must be one of the toy languages, got {language!r}")
    return language
