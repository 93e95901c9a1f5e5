from types import SimpleNamespace

import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals
from tests.training.small import WORDS, model_of
from transformer_lib.training import Batch, language_model_batch, mean_loss, translation_batch
from transformer_lib.training.loss import batch_loss

SENTENCES = [[*"abc"], ["b"], [*"abcda"]]


def test_targets_are_the_ids_one_place_on() -> None:
    batch = language_model_batch(SENTENCES, WORDS)
    assert batch.ids.shape == batch.targets.shape == (3, 6)
    assert batch.source is None
    for i, words in enumerate(SENTENCES):
        n = len(words) + 1
        whole = WORDS.encode(words, start=True, end=True)
        assert batch.ids[i, :n].tolist() == whole[:-1]
        assert batch.targets[i, :n].tolist() == whole[1:]
        assert (batch.ids[i, n:] == WORDS.padding_id).all()
        assert (batch.targets[i, n:] == -100).all()


def test_the_encoder_reads_the_source_and_its_end() -> None:
    source, target = tl.Vocabulary(["I", "love", "cats"]), tl.Vocabulary(["ich", "liebe"])
    pairs = [
        SimpleNamespace(source=["I", "love", "cats"], target=["ich", "liebe"]),
        SimpleNamespace(source=["cats"], target=["liebe"]),
    ]
    batch = translation_batch(pairs, source, target)
    assert batch.source is not None
    assert batch.source.tolist() == [[4, 5, 6, 3], [6, 3, 1, 1]]
    assert batch.ids.tolist() == [[2, 4, 5], [2, 5, 1]]
    assert batch.targets.tolist() == [[4, 5, 3], [5, 3, -100]]


@pytest.mark.parametrize("kind", ["decoder", "rnn", "lstm"])
def test_the_loss_is_the_mean_over_all_real_tokens(kind: str) -> None:
    model = model_of(kind).double()
    total, count = 0.0, 0
    for words in SENTENCES:
        one = language_model_batch([words], WORDS)
        total += mean_loss(model, one) * one.ids.numel()
        count += one.ids.numel()
    whole = language_model_batch(SENTENCES, WORDS)
    assert mean_loss(model, whole) == pytest.approx(total / count, abs=1e-12)


def test_mean_loss_neither_drops_out_nor_changes_the_mode() -> None:
    model, batch = model_of(), language_model_batch(SENTENCES, WORDS)
    model.train()
    assert mean_loss(model, batch) == mean_loss(model, batch)
    assert model.training
    mean_loss(model.eval(), batch)
    assert not model.training


def test_smoothing_is_that_of_torch() -> None:
    model, batch = model_of().eval(), language_model_batch(SENTENCES, WORDS)
    expected = torch.nn.functional.cross_entropy(
        model(batch.ids).flatten(0, 1), batch.targets.flatten(), label_smoothing=0.2
    )
    torch.testing.assert_close(batch_loss(model, batch, smoothing=0.2), expected)


test_bad_batches = refusals(
    ("sentences must be a list", lambda: language_model_batch("the cat", WORDS)),
    ("tokens must be a list", lambda: language_model_batch(["the cat"], WORDS)),
    ("sentences must contain at least one", lambda: language_model_batch([], WORDS)),
    (r"but \['dog'\] are not", lambda: language_model_batch([["dog"]], WORDS)),
    ("vocabulary must be a Vocabulary", lambda: language_model_batch([["cat"]], ["cat"])),
    ("pairs must each have", lambda: translation_batch([("a", "b")], WORDS, WORDS)),
    ("pairs must contain at least one", lambda: translation_batch([], WORDS, WORDS)),
    ("batch must be a Batch, got int", lambda: mean_loss(model_of(), 3)),
    (
        "targets must contain at least one token to predict",
        lambda: mean_loss(model_of(), Batch(torch.tensor([[2]]), torch.tensor([[-100]]))),
    ),
)
