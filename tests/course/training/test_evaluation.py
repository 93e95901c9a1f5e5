from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from course.languages import AgreementLanguage, TranslationLanguage
from course.training import (
    agreement_accuracy,
    batch_of,
    exact_match,
    held_out_sentences,
    loss_floor,
    measures,
    translate,
)
from tests.refusals import refusals
from transformer_lib import nn
from transformer_lib.training import mean_loss

AGREEMENT, TRANSLATION = AgreementLanguage(most=2), TranslationLanguage()
SENTENCES = held_out_sentences(AGREEMENT, 40)
PAIRS = held_out_sentences(TRANSLATION, 12)


class Oracle(torch.nn.Module):
    """Speaks the agreement language with its exact probabilities."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        vocabulary = AGREEMENT.vocabulary
        rows = torch.full((*ids.shape, len(vocabulary)), -torch.inf, dtype=torch.float64)
        for i, row in enumerate(ids.tolist()):
            for n in range(len(row)):
                if row[n] != vocabulary.padding_id and row[n] != vocabulary.end_id:
                    prefix = vocabulary.decode(row[1 : n + 1])
                    for word, p in AGREEMENT.next_probabilities(prefix).items():
                        rows[i, n, vocabulary.encode([word])[0]] = np.log(p) if p else -torch.inf
        return rows


def test_the_language_itself_reaches_the_floor_and_agrees_always() -> None:
    loss = mean_loss(Oracle(), batch_of(AGREEMENT, SENTENCES))
    assert loss == pytest.approx(loss_floor(AGREEMENT, SENTENCES), abs=1e-10)
    assert agreement_accuracy(Oracle(), AGREEMENT, SENTENCES) == 1.0


def test_the_floor_is_near_the_entropy_per_token() -> None:
    floor = loss_floor(AGREEMENT, held_out_sentences(AGREEMENT, 2000))
    assert floor == pytest.approx(AGREEMENT.entropy_per_token(), rel=0.03)


class Stubborn(torch.nn.Module):
    """Finds every verb of one number more probable."""

    def __init__(self, number: str) -> None:
        super().__init__()
        self.ids = AGREEMENT.vocabulary.encode(AGREEMENT.verbs[number])

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        logits = torch.zeros(*ids.shape, len(AGREEMENT.vocabulary))
        logits[..., self.ids] = 0.1
        return logits


def test_accuracy_counts_the_verbs_of_the_subjects_number() -> None:
    share = np.mean([AGREEMENT.number(words) == "plural" for words in SENTENCES])
    assert 0 < share < 1
    for number, expected in (("plural", share), ("singular", 1 - share)):
        got = agreement_accuracy(Stubborn(number), AGREEMENT, SENTENCES)
        assert got == pytest.approx(expected)


class Even(torch.nn.Module):
    """Finds all words equally probable."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return torch.zeros(*ids.shape, len(AGREEMENT.vocabulary), dtype=torch.float64)


def test_a_tie_is_not_right() -> None:
    assert agreement_accuracy(Even(), AGREEMENT, SENTENCES) == 0.0


def translator() -> Any:
    config = nn.Configuration(
        kind="encoder-decoder",
        vocabulary_size=len(TRANSLATION.target_vocabulary),
        source_vocabulary_size=len(TRANSLATION.source_vocabulary),
        padding_id=TRANSLATION.target_vocabulary.padding_id,
        d_model=8,
        heads=2,
        layers=1,
        d_ff=6,
    )
    return nn.Transformer(config, seed=0)


def test_translations_are_those_of_greedy_search() -> None:
    model, vocabulary = translator(), TRANSLATION.target_vocabulary
    pairs = PAIRS[:4]
    found = translate(model, TRANSLATION, pairs)
    source = batch_of(TRANSLATION, pairs).source
    for pair, words, row in zip(pairs, found, source, strict=True):
        ids = row[: len(pair.source) + 1]
        alone = tl.greedy_search(
            model.next_logits(ids), [vocabulary.start_id], end=vocabulary.end_id, max_new_tokens=32
        )
        tokens = alone.tokens[:-1] if alone.finished else alone.tokens
        assert words == tuple(vocabulary.decode(tokens))
    assert model.training


class Repeats(torch.nn.Module):
    """Knows the translation of every pair but the first."""

    def forward(self, ids: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        targets = batch_of(TRANSLATION, PAIRS).targets
        logits = torch.zeros(*ids.shape, len(TRANSLATION.target_vocabulary))
        for i, row in enumerate(targets.tolist()):
            for n in range(min(ids.shape[1], len(row))):
                if row[n] >= 0:
                    logits[i, n, row[n]] = 1.0
        logits[0, 0] = logits[0, 0].roll(1)
        return logits


def test_exact_match_is_the_share_of_whole_translations() -> None:
    assert exact_match(Repeats(), TRANSLATION, PAIRS) == pytest.approx(11 / 12)


def test_measures_of_a_translator_are_of_both_kinds_of_sentences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("course.training.runs.HELD_OUT", 10)
    found = measures(translator(), TRANSLATION)
    assert set(found) == {"loss", "exact_match", "exact_match_unseen"}
    assert found["exact_match"] == 0.0


test_bad_arguments = refusals(
    ("sentences must contain at least one", lambda: loss_floor(AGREEMENT, [])),
    ("sentences must all be in the language", lambda: loss_floor(AGREEMENT, [["the", "the"]])),
    ("words must contain one of", lambda: agreement_accuracy(Oracle(), AGREEMENT, [["the"]])),
    ("pairs must contain at least one", lambda: translate(translator(), TRANSLATION, [])),
    ("pairs must each have a source", lambda: exact_match(translator(), TRANSLATION, [3])),
)
