"""Batches of the tasks, heads, adapters and distillation."""

import copy
import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course.languages import ReviewLanguage
from tests.refusals import refusals
from transformer_lib import Configuration
from transformer_lib.model.vocabulary import Vocabulary
from transformer_lib.nn import Transformer
from transformer_lib.pretraining import Masked
from transformer_lib.training import Batch, Settings, mean_loss, train
from transformer_lib.training.batches import IGNORED
from transformer_lib.transfer import (
    LowRank,
    TagHead,
    TextHead,
    add_adapters,
    distillation_loss,
    distilled_from,
    every_other_layer,
    label_batch,
    masked_batch,
    merge_adapters,
    source_batch,
    tag_batch,
    text_ids,
    trained_parameters,
    two_task_loss,
    two_tasks,
    with_head,
)

WORDS = Vocabulary(["a", "b", "c"])


def encoder(**fields):
    sizes = dict(vocabulary_size=7, d_model=8, heads=4, layers=2, d_ff=12)
    config = Configuration(**dict(kind="encoder", padding_id=1, dropout=0.0) | sizes | fields)
    return Transformer(config, seed=0).double()


def test_a_masked_batch_is_what_a_loss_takes():
    read = Masked(np.array([[2, 4, 3]]), np.array([[-100, 5, -100]]))
    model = encoder()
    batch = masked_batch(read)
    expected = F.cross_entropy(model(batch.ids)[0, 1:2], torch.tensor([5]))
    assert mean_loss(model, batch) == pytest.approx(float(expected.detach()), abs=1e-12)


def test_texts_become_rows_of_one_length():
    assert text_ids([["a"]], WORDS, 5).tolist() == [[2, 4, 3, 1, 1]]


def test_texts_have_labels():
    batch = label_batch([["a"], ["b", "c"]], [1, 0], WORDS)
    assert batch.targets.tolist() == [1, 0] and batch.ids.shape == (2, 4)


def test_a_source_batch_reads_one_text_and_says_another():
    batch = source_batch([(["a", "b"], ["c"])], WORDS)
    assert batch.source.tolist() == [[4, 5, 3]]
    assert (batch.ids.tolist(), batch.targets.tolist()) == ([[2, 6]], [[6, 3]])


def test_the_loss_of_two_tasks_is_the_sum_of_both():
    model = encoder(classes=2)
    ids = torch.tensor([[2, 4, 5, 3], [2, 6, 3, 1]])
    targets = torch.tensor([[-100, -100, 4, -100], [-100, 5, -100, -100]])
    batch = two_tasks(Batch(ids, targets), [True, False])
    assert targets[0, 0] == IGNORED  # the given batch stays
    words = F.cross_entropy(model(ids)[[0, 1], [2, 1]], torch.tensor([4, 5]))
    follows = F.cross_entropy(model.classify(ids), torch.tensor([1, 0]))
    found = two_task_loss(model, batch)
    assert found.item() == pytest.approx((words + follows).item(), abs=1e-12)


@pytest.mark.parametrize(("head", "shape"), [(TagHead, (2, 3, 5)), (TextHead, (2, 5))])
def test_a_head_reads_the_rows_that_the_model_ends_with(head, shape):
    model = encoder()
    other = with_head(model, head(model, 5).double())
    ids = torch.tensor([[2, 4, 3], [2, 5, 3]])
    hidden = model.trace(ids)["encoder.output"]
    rows = hidden if head is TagHead else hidden[:, 0]
    expected = rows @ other.head.W + other.head.b
    assert torch.equal(other(ids), expected) and other(ids).shape == shape
    assert type(model.head) is not head
    other.embedding.tokens.data.zero_()
    assert model.embedding.tokens.abs().sum() > 0


def test_an_adapter_changes_nothing_at_first_and_then_what_its_product_says():
    model, ids = encoder(), torch.tensor([[2, 4, 5, 3]])
    before = model(ids)
    plain = copy.deepcopy(model)
    add_adapters(model, rank=2, alpha=6.0, seed=3)
    assert torch.equal(model(ids), before)
    for attention in (layer.self_attention for layer in model.encoder.layers):
        for name in ("W_Q", "W_V"):
            low_rank = attention.parametrizations[name][0]
            torch.nn.init.normal_(low_rank.B, generator=torch.Generator().manual_seed(1))
    for ours, theirs in zip(model.encoder.layers, plain.encoder.layers, strict=True):
        for name in ("W_Q", "W_V"):
            given = ours.self_attention.parametrizations[name][0]
            W = getattr(theirs.self_attention, name)
            W.data += 6.0 / 2 * (given.A @ given.B).detach()
    assert torch.allclose(model(ids), plain(ids), rtol=0, atol=1e-12)
    merge_adapters(model)
    assert torch.allclose(model(ids), plain(ids), rtol=0, atol=1e-12)
    assert set(model.state_dict()) == set(plain.state_dict())


def test_only_adapters_and_the_head_are_trained():
    model = with_head(encoder(), TextHead(encoder(), 2).double())
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    add_adapters(model, rank=1)
    # Two layers, two matrices each of 8 by 8: a column and a row; the head has 8 times 2 and 2.
    assert trained_parameters(model) == 2 * 2 * (8 + 8) + 8 * 2 + 2
    batch = label_batch([["a"], ["b", "c"]], [1, 0], WORDS)
    train(model, lambda rng: batch, Settings(steps=3, rate=0.01), progress=False)
    merge_adapters(model)
    moved = {name for name, p in model.named_parameters() if not torch.equal(p, before[name])}
    adapted = {f"encoder.layers.{i}.self_attention.W_{x}" for i in (0, 1) for x in "QV"}
    assert moved == adapted | {"head.W", "head.b"}


@pytest.mark.usefixtures("unhooked")
def test_an_adapter_stands_on_matrices_of_attention():
    for names in ("W_1", "W_Q", ("W_Q", "W_1"), ()):
        model = encoder()
        says = f"names must be some of W_Q, W_K, W_V, W_O, in a tuple, got {names!r}"
        with pytest.raises(ValueError, match=re.escape(says)):
            add_adapters(model, rank=1, names=names)
        assert all(p.requires_grad for p in model.parameters())


def test_the_distillation_loss_is_torchs_divergence_times_the_square_of_the_temperature():
    generator = torch.Generator().manual_seed(0)
    student, teacher = torch.randn(2, 3, 4, 5, generator=generator, dtype=torch.float64)[:, 0]
    for T in (1.0, 2.5):
        ours = distillation_loss(student, teacher, temperature=T)
        theirs = F.kl_div(
            (student / T).log_softmax(-1), (teacher / T).softmax(-1), reduction="none"
        ).sum(-1)
        assert torch.allclose(ours, T**2 * theirs, rtol=0, atol=1e-12)


def test_a_student_has_every_other_layer_and_its_loss_is_half_the_teachers():
    teacher = encoder(layers=4)
    student = every_other_layer(teacher, (0, 2))
    assert student.config.layers == 2 and len(student.encoder.layers) == 2
    for i in (0, 1):
        ours, theirs = student.encoder.layers[i], teacher.encoder.layers[2 * i]
        assert torch.equal(ours.feed_forward.W_1, theirs.feed_forward.W_1)
        assert ours.feed_forward.W_1 is not theirs.feed_forward.W_1
    ids = torch.tensor([[2, 4, 5, 3]])
    batch = Batch(ids, torch.tensor([[-100, 6, -100, -100]]))
    soft = distillation_loss(student(ids)[0, 1], teacher(ids)[0, 1])
    hard = F.cross_entropy(student(ids)[0, 1:2], torch.tensor([6]))
    found = distilled_from(teacher)(student, batch)
    assert found.item() == pytest.approx(((soft + hard) / 2).item(), abs=1e-12)
    found.backward()
    assert all(p.grad is None for p in teacher.parameters())


ZEROS = torch.zeros(2, 3)
test_what_is_refused = refusals(
    ("length must be at least", lambda: text_ids([["a", "b", "c"]], WORDS, 4)),
    ("labels must be one per text", lambda: label_batch([["a"]], [1, 0], WORDS)),
    ("tags must be one for each word", lambda: tag_batch([["a", "b"]], [[1]], WORDS)),
    ("rank must be an integer of 1 or more", lambda: LowRank(torch.eye(3), rank=0)),
    ("model must contain attention", lambda: add_adapters(torch.nn.Linear(2, 3), rank=1)),
    ("temperature must be pos", lambda: distillation_loss(ZEROS, ZEROS, temperature=0.0)),
    ("teacher must be an encoder", lambda: every_other_layer(encoder(kind="decoder"), (0,))),
)


def test_a_small_encoder_learns_to_fill_gaps_of_the_review_language():
    """It must beat the guess that knows only how frequent each word is."""
    from transformer_lib.pretraining import mask_tokens

    language = ReviewLanguage()
    vocabulary = language.vocabulary
    options = {"mask_id": vocabulary.encode(["<mask>"])[0], "word_ids": language.word_ids}
    model = encoder(vocabulary_size=len(vocabulary), d_model=16, d_ff=32, place="pre").float()

    def draw(rng):
        ids = text_ids([language.sample(rng) for _ in range(16)], vocabulary)
        return masked_batch(mask_tokens(ids, rng=rng, **options))

    history = train(model, draw, Settings(steps=120, rate=0.01, warm_up=20), progress=False)
    rng = np.random.default_rng(0)
    words = [word for _ in range(500) for word in language.sample(rng)]
    shares = np.unique(words, return_counts=True)[1] / len(words)
    assert np.mean(history.losses[-20:]) < -(shares * np.log(shares)).sum() - 0.5
