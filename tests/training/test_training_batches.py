from types import SimpleNamespace

import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn
from transformer_lib.training import Batch, language_model_batch, mean_loss, translation_batch
from transformer_lib.training.loss import batch_loss

WORDS = tl.Vocabulary(["the", "cat", "sat", "on"])
SENTENCES = [["the", "cat", "sat"], ["cat"], ["the", "cat", "sat", "on", "the"]]
CONFIG = nn.Configuration(
    kind="decoder", vocabulary_size=8, d_model=12, heads=3, layers=2, d_ff=10, dropout=0.3
)


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


def test_the_loss_is_the_mean_over_all_real_tokens() -> None:
    model = nn.Transformer(CONFIG, seed=1).double()
    total, count = 0.0, 0
    for words in SENTENCES:
        one = language_model_batch([words], WORDS)
        total += mean_loss(model, one) * one.ids.numel()
        count += one.ids.numel()
    whole = language_model_batch(SENTENCES, WORDS)
    assert mean_loss(model, whole) == pytest.approx(total / count, abs=1e-12)


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_padding_changes_no_loss_of_a_recurrent_model(kind: str) -> None:
    model = nn.RecurrentModel(kind, vocabulary_size=8, d_model=5).double()
    losses = [mean_loss(model, language_model_batch([words], WORDS)) for words in SENTENCES]
    expected = sum(x * (len(w) + 1) for x, w in zip(losses, SENTENCES, strict=True)) / 12
    got = mean_loss(model, language_model_batch(SENTENCES, WORDS))
    assert got == pytest.approx(expected, abs=1e-12)


def test_mean_loss_neither_drops_out_nor_changes_the_mode() -> None:
    model, batch = nn.Transformer(CONFIG, seed=1), language_model_batch(SENTENCES, WORDS)
    model.train()
    assert mean_loss(model, batch) == mean_loss(model, batch)
    assert model.training
    mean_loss(model.eval(), batch)
    assert not model.training


def test_smoothing_is_that_of_torch() -> None:
    model, batch = nn.Transformer(CONFIG, seed=1).eval(), language_model_batch(SENTENCES, WORDS)
    expected = torch.nn.functional.cross_entropy(
        model(batch.ids).flatten(0, 1), batch.targets.flatten(), label_smoothing=0.2
    )
    torch.testing.assert_close(batch_loss(model, batch, smoothing=0.2), expected)


BAD = {
    "one string": (lambda: language_model_batch("the cat", WORDS), "sentences must be a list"),
    "strings": (lambda: language_model_batch(["the cat"], WORDS), "tokens must be a list"),
    "none": (lambda: language_model_batch([], WORDS), "sentences must contain at least one"),
    "unknown": (lambda: language_model_batch([["dog"]], WORDS), r"but \['dog'\] are not"),
    "list": (lambda: language_model_batch([["cat"]], ["cat"]), "vocabulary must be a Vocabulary"),  # type: ignore[arg-type]
    "pairs": (lambda: translation_batch([("a", "b")], WORDS, WORDS), "pairs must each have"),
    "no pairs": (lambda: translation_batch([], WORDS, WORDS), "pairs must contain at least one"),
    "loss": (lambda: mean_loss(nn.Transformer(CONFIG), 3), "batch must be a Batch, got int"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", BAD)
def test_bad_batches(case: str, unhooked: None) -> None:
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[no-untyped-call]


def test_a_batch_without_a_real_token_has_no_loss(unhooked: None) -> None:
    batch = Batch(torch.tensor([[2]]), torch.tensor([[-100]]))
    with pytest.raises(ValueError, match="targets must contain at least one token to predict"):
        mean_loss(nn.Transformer(CONFIG), batch)
