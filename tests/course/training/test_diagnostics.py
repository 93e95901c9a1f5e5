from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course.training import batch_of, exact_match
from course.training.diagnostics import (
    alignment_shares,
    cross_attention,
    forced_accuracy,
    impossible_share,
)
from tests.course.training.test_evaluation import (
    AGREEMENT,
    PAIRS,
    SENTENCES,
    TRANSLATION,
    Even,
    Oracle,
    translator,
)


def test_the_language_itself_says_nothing_impossible() -> None:
    assert impossible_share(Oracle(), AGREEMENT, SENTENCES[:7]) == pytest.approx(0, abs=1e-12)


def test_a_model_that_knows_nothing_wastes_what_may_not_follow() -> None:
    sentences = [SENTENCES[0], max(SENTENCES, key=len)]
    wasted = [
        1 - sum(p > 0 for p in AGREEMENT.next_probabilities(words[:i]).values()) / 41
        for words in sentences
        for i in range(len(words) + 1)
    ]
    assert len(AGREEMENT.vocabulary) == 41
    assert len(sentences[0]) != len(sentences[1])
    assert impossible_share(Even(), AGREEMENT, sentences) == pytest.approx(np.mean(wasted))


class Speaks(torch.nn.Module):
    """Says the right words, but the first of the first sentence and the last of the second."""

    def forward(self, ids: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        targets = batch_of(TRANSLATION, PAIRS).targets.clone()
        ends = (targets >= 0).sum(dim=1)
        targets[0, 0] = targets[0, 1]
        targets[1, ends[1] - 1] = 1
        count = len(TRANSLATION.target_vocabulary)
        return torch.nn.functional.one_hot(targets.clamp(min=0), count).double()


def test_forced_accuracy_counts_words_and_whole_sentences_but_no_padding() -> None:
    targets = batch_of(TRANSLATION, PAIRS).targets
    assert (targets < 0).any()
    found = forced_accuracy(Speaks(), TRANSLATION, PAIRS)
    assert found.words == pytest.approx(1 - 2 / int((targets >= 0).sum()))
    assert found.sentences == pytest.approx(1 - 2 / len(PAIRS))


def test_a_sentence_is_right_when_it_runs_free_exactly_when_its_forced_words_are() -> None:
    model = translator().eval()
    found = forced_accuracy(model, TRANSLATION, PAIRS)
    assert found.sentences == exact_match(model, TRANSLATION, PAIRS)


def test_cross_attention_has_a_weight_for_every_word_of_both_sentences() -> None:
    pair = PAIRS[0]
    weights = cross_attention(translator().eval(), TRANSLATION, pair)
    assert weights.shape == (1, 2, len(pair.target) + 1, len(pair.source) + 1)
    assert torch.allclose(weights.sum(-1), torch.ones(()), atol=1e-5)  # float32


class Looks:
    """Has two layers of two heads; the last head of the last layer looks at the right word."""

    config = SimpleNamespace(layers=2)

    def trace(self, ids: torch.Tensor, source: torch.Tensor) -> dict[str, torch.Tensor]:
        (pair,) = [p for p in PAIRS if batch_of(TRANSLATION, [p]).ids.tolist() == ids.tolist()]
        weights = torch.zeros(2, 2, ids.shape[1], source.shape[1])
        weights[..., -1] = 0.5  # all look at the end, which translates nothing
        for t, s in pair.alignment:
            weights[1, 1, t, s] = 1.0
        return {f"decoder.layers.{i}.cross_attention.weights": weights[i : i + 1] for i in (0, 1)}


def test_alignment_shares_find_the_head_that_aligns() -> None:
    assert alignment_shares(Looks(), TRANSLATION, PAIRS[:5]).tolist() == [[0, 0], [0, 1]]
