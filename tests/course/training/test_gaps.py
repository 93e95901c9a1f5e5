"""Sentences with gaps: what is taken out, what each kind of model reads, and what it fills in."""

from typing import Any

import numpy as np
import pytest
import torch

from course.languages import Gap, GapLanguage
from course.training import batch_of, fill, first_word, measures
from tests.refusals import refusals
from transformer_lib.training import gap_batch

EACH, ONE = GapLanguage(), GapLanguage(marks="one")
V = EACH.vocabulary
GAPS = [
    Gap(("the", "chefs", "are", "hungry"), 1, 3),
    Gap(tuple("the cat who sat on the mat was tired".split()), 3, 7),
]


def test_gaps_have_all_lengths_up_to_the_longest_and_stand_anywhere() -> None:
    rng = np.random.default_rng(0)
    gaps = [GapLanguage(longest=3).sample(rng) for _ in range(300)]
    assert {len(gap.target) for gap in gaps} == {1, 2, 3}
    assert any(gap.start == 0 for gap in gaps)
    assert any(gap.stop == len(gap.words) for gap in gaps)
    assert all(gap.filled(gap.target) == gap.words for gap in gaps)


def test_an_encoder_reads_a_mark_for_each_word_and_says_it_there() -> None:
    batch = batch_of(EACH, GAPS)
    assert V.decode(batch.ids[0].tolist()) == [
        *("the", "<unk>", "<unk>", "hungry", "</s>"),
        *["<pad>"] * 5,
    ]
    said = batch.targets != -100
    assert said.sum(dim=1).tolist() == [2, 4] and (batch.ids[said] == V.unknown_id).all()
    assert V.decode(batch.targets[1][said[1]].tolist()) == ["sat", "on", "the", "mat"]


def test_an_encoder_decoder_reads_one_mark_and_writes_the_words() -> None:
    batch = batch_of(ONE, GAPS)
    assert batch.source is not None
    assert V.decode(batch.source[0].tolist())[:4] == ["the", "<unk>", "hungry", "</s>"]
    assert V.decode(batch.ids[0].tolist()) == ["<s>", "chefs", "are", "<pad>", "<pad>"]
    assert batch.targets[0].tolist() == [*V.encode(["chefs", "are"], end=True), -100, -100]


class Fixed(torch.nn.Module):
    """Says the same words at the same places, whatever it reads."""

    def __init__(self, words: list[str]) -> None:
        super().__init__()
        self.chosen = V.encode(words)

    def forward(self, ids: torch.Tensor, source: Any = None) -> torch.Tensor:
        logits = torch.zeros(*ids.shape, len(V))
        for place, word in enumerate(self.chosen[: ids.shape[1]]):
            logits[:, place, word] = 9.0
        return logits


def test_what_is_filled_in_is_the_most_probable_word_of_each_place() -> None:
    model = Fixed("the cats were who sat out of tea </s>".split())
    assert fill(model, EACH, GAPS) == [("cats", "were"), ("who", "sat", "out", "of")]
    assert fill(Fixed(["ate", "tea", "</s>"]), ONE, GAPS) == [("ate", "tea")] * 2


def test_the_first_word_of_a_gap_stands_at_its_first_mark() -> None:
    model = Fixed("the cats were who sat out of tea </s>".split())
    assert V.decode(first_word(model, EACH, GAPS).argmax(-1).tolist()) == ["cats", "who"]
    assert V.decode(first_word(model, ONE, GAPS).argmax(-1).tolist()) == ["the", "the"]
    torch.testing.assert_close(first_word(model, ONE, GAPS).sum(-1), torch.ones(2))


def test_of_gaps_the_loss_alone_is_measured(
    monkeypatch: pytest.MonkeyPatch, unhooked: None
) -> None:
    monkeypatch.setattr("course.training.runs.HELD_OUT", 20)
    assert set(measures(Fixed(["the"]), EACH)) == {"loss"}


test_bad_gaps = refusals(
    ("longest must be an integer", lambda: GapLanguage(longest=0)),
    (r"marks must be one of \('each', 'one'\), got 'two'", lambda: GapLanguage(marks="two")),
    ("gaps must contain at least one", lambda: gap_batch([], V)),
    (r"\['dog'\] are not", lambda: gap_batch([Gap(("dog", "the"), 1, 2)], V)),
)
