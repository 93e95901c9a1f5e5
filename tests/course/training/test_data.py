import numpy as np
import pytest
import torch

from course.languages import AgreementLanguage, TranslationLanguage
from course.training import batch_of, draws_from, held_out_sentences
from tests.course.training.test_evaluation import translator
from tests.refusals import refusals
from transformer_lib.training import mean_loss


def test_padding_changes_no_loss_of_an_encoder_decoder() -> None:
    language, model = TranslationLanguage(), translator().double()
    pairs = held_out_sentences(language, 5)
    total = sum(mean_loss(model, batch_of(language, [p])) * (len(p.target) + 1) for p in pairs)
    got = mean_loss(model, batch_of(language, pairs))
    assert got == pytest.approx(total / sum(len(p.target) + 1 for p in pairs), abs=1e-12)


def test_draws_depend_on_the_generator_alone() -> None:
    draw = draws_from(AgreementLanguage(), batch_size=5)
    one, same, other = (draw(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert len(one.ids) == 5
    assert torch.equal(one.ids, same.ids)
    assert one.ids.shape != other.ids.shape or not torch.equal(one.ids, other.ids)


def test_training_never_meets_what_is_held_out() -> None:
    language = TranslationLanguage()
    kept = held_out_sentences(language, 300)
    draw, rng = draws_from(language, batch_size=400, without=kept), np.random.default_rng(0)
    words = [language.source_vocabulary.decode(row, skip_special=True) for row in draw(rng).source]
    assert not {tuple(w) for w in words} & {pair.source for pair in kept}
    assert not any(language.held_out(language.translate(w)) for w in words)


def test_held_out_pairs_all_differ_and_are_of_the_kind_asked_for() -> None:
    language = TranslationLanguage()
    for unseen in (False, True):
        pairs = held_out_sentences(language, 50, unseen=unseen)
        assert len({pair.source for pair in pairs}) == 50
        assert {language.held_out(pair) for pair in pairs} == {unseen}
        assert pairs == held_out_sentences(language, 50, unseen=unseen)


AGREEMENT = AgreementLanguage()

test_bad_draws = refusals(
    ("language must be one of the toy", lambda: draws_from("agreement", 3)),  # type: ignore[arg-type]
    ("batch_size must be an integer", lambda: draws_from(AGREEMENT, 0)),
    ("count must be an integer", lambda: held_out_sentences(AGREEMENT, 0)),
    (
        "unseen is for a TranslationLanguage",
        lambda: held_out_sentences(AGREEMENT, 3, unseen=True),
    ),
    (
        "without is for a TranslationLanguage",
        lambda: draws_from(AGREEMENT, 3, without=held_out_sentences(TranslationLanguage(), 1)),
    ),
)
