"""A toy language as what a run file trains on, and the numbers that are kept with its model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from course.languages import AgreementLanguage, FactLanguage, GapLanguage, TranslationLanguage
from course.training.data import HELD_OUT_SEED, Language, batch_of, draws_from, held_out_sentences
from course.training.evaluation import (
    agreement_accuracy,
    exact_match,
    expected_loss,
    known_facts,
    loss_floor,
)
from transformer_lib.model.recurrent import BLOCKS
from transformer_lib.training import RealText, mean_loss
from transformer_lib.training.batches import Batch, DrawBatch
from transformer_lib.training.model_checkpoint import Model
from transformer_lib.training.real_text import four_digits
from transformer_lib.training.run_file import Data, made

HELD_OUT = 1000  # sentences
LANGUAGES: dict[str, Any] = {
    "agreement": AgreementLanguage,
    "facts": FactLanguage,
    "gaps": GapLanguage,
    "translation": TranslationLanguage,
}


@dataclass(frozen=True)
class ToyData(Data):
    """A toy language, as `transformer_lib.training.run_file.Data` describes it."""

    language: Language
    digest: ClassVar[str] = ""

    @property
    def kinds(self) -> list[str]:
        """Kinds of models that fit."""
        if isinstance(self.language, GapLanguage) and self.language.marks == "each":
            return ["encoder"]
        if isinstance(self.language, GapLanguage | TranslationLanguage):
            return ["encoder-decoder"]
        return ["decoder", *BLOCKS]

    @property
    def sizes(self) -> dict[str, int]:
        """Fields of a configuration that follow from the language."""
        if isinstance(self.language, TranslationLanguage):
            source, target = self.language.source_vocabulary, self.language.target_vocabulary
            sizes = {"vocabulary_size": len(target), "source_vocabulary_size": len(source)}
            return sizes | {"padding_id": source.padding_id}
        vocabulary, sizes = self.language.vocabulary, {}
        if isinstance(self.language, GapLanguage):
            sizes["padding_id"] = vocabulary.padding_id
        return sizes | {"vocabulary_size": len(vocabulary)}

    def draws(self, batch_size: int) -> DrawBatch:
        """Return what `train` draws its batches from, without the pairs that are held out."""
        translates = isinstance(self.language, TranslationLanguage)
        without = held_out_sentences(self.language, HELD_OUT) if translates else ()
        return draws_from(self.language, batch_size, without=without)

    def looks(self) -> list[Batch]:
        """Return no batches: each step draws new sentences, so its loss is one on other text."""
        return []

    def measures(self, model: Model) -> dict[str, float]:
        """Return `measures` of the language."""
        return measures(model, self.language)


def read_data(path: str | Path, fields: dict[str, Any]) -> ToyData:
    """Return the language of a run file's section [language]: its `kind` and its arguments.

    Raises:
        ValueError: there is no such kind, or a field is unknown or out of its range.
    """
    kind = fields.pop("kind", None)
    if kind not in LANGUAGES:
        raise ValueError(f"{path}, [language]: kind must be one of {list(LANGUAGES)}, got {kind!r}")
    return ToyData(made(f"{path}, [language]", LANGUAGES[kind], fields))


def measures(model: Model, language: Language | RealText) -> dict[str, float]:
    """Return the loss on held-out sentences, and what else tells how good a model is.

    All have four significant digits: what the model gives on any processor.

    For the agreement language these are the floor of the loss on the same sentences and the
    accuracy at the longest distance; for the translation language the exact matches, on new
    sentences and on those with combinations of verb and object that training never meets. Of a
    language with gaps it is the loss alone. The loss on the fact language is the expected one, over
    all its sentences, with its floor, what it exceeds the floor by, and the share of the facts that
    are known. Real text has measures of its own, see `RealText.measures`.

    Args:
        model: of the language.
        language: one of the toy languages, or a RealText.
    """
    if isinstance(language, RealText):
        return language.measures(model)
    if isinstance(language, FactLanguage):
        loss, floor = expected_loss(model, language), language.entropy_per_token()
        found = {"loss": loss, "floor": floor, "excess": loss - floor}
        return four_digits(found | {"known": known_facts(model, language)})
    sentences = held_out_sentences(language, HELD_OUT)
    found = {"loss": mean_loss(model, batch_of(language, sentences))}
    if isinstance(language, AgreementLanguage):
        rng = np.random.default_rng(HELD_OUT_SEED)
        longest = [language.at_distance(rng, language.most) for _ in range(HELD_OUT)]
        found["floor"] = loss_floor(language, sentences)
        found["accuracy_at_longest"] = agreement_accuracy(model, language, longest)
    elif isinstance(language, TranslationLanguage):
        unseen = held_out_sentences(language, HELD_OUT, unseen=True)
        found["exact_match"] = exact_match(model, language, sentences)
        found["exact_match_unseen"] = exact_match(model, language, unseen)
    return four_digits(found)
