"""Induction heads: the scores of heads that are built by hand, and what they bring."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.refusals import refusals
from tests.training.small import model_of
from transformer_lib.training import Batch
from transformer_lib.training.induction import (
    context_gain,
    induction_scores,
    repeated_ids,
    repetition_gain,
)

RNG = np.random.default_rng(2)


def test_a_prefix_moves_the_places_and_stands_in_each_sequence() -> None:
    model, ids = model_of().eval(), repeated_ids(7, length=3, count=2, rng=RNG)
    with torch.no_grad():
        whole = model.trace(torch.cat([torch.zeros(2, 1, dtype=ids.dtype), ids], dim=1))
    weights = whole["decoder.layers.0.self_attention.weights"]
    by_hand = torch.stack([weights[:, :, at, at - 2] for at in (4, 5)]).double().mean((0, 1))
    scores = induction_scores(model, ids, prefix=[0])
    np.testing.assert_allclose(scores[0], by_hand, atol=1e-6)


def test_each_sequence_comes_twice_and_nothing_comes_twice_in_a_half() -> None:
    ids = repeated_ids(30, length=9, count=4, rng=RNG)
    assert ids.shape == (4, 18)
    assert (ids[:, :9] == ids[:, 9:]).all()
    assert all(len(set(row[:9].tolist())) == 9 for row in ids)
    assert len({tuple(row.tolist()) for row in ids}) == 4


class Built(torch.nn.Module):
    """Weights made by hand: head 0 looks at itself, head 1 is an induction head, 2 looks at all."""

    def __init__(self) -> None:
        super().__init__()
        self.config = model_of().config

    def trace(self, ids: torch.Tensor, names: list[str]) -> dict[str, torch.Tensor]:
        n, half = ids.shape[1], ids.shape[1] // 2
        weights = torch.zeros(len(ids), 3, n, n)
        weights[:, 0] = torch.eye(n)
        weights[:, 1] = torch.eye(n)
        weights[:, 1, half : n - 1] = torch.eye(n)[1:half]
        weights[:, 2] = torch.tril(torch.ones(n, n)) / torch.arange(1, n + 1)[:, None]
        return dict.fromkeys(names, weights)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Say the token after the last time that this one stood; anything where it did not."""
        logits = torch.zeros(*ids.shape, 30)
        for row, sequence in enumerate(ids.tolist()):
            for i, token in enumerate(sequence):
                if token in sequence[:i]:
                    before = max(j for j in range(i) if sequence[j] == token)
                    logits[row, i, sequence[before + 1]] = 9.0
        return logits


def test_a_head_is_found_by_its_definition() -> None:
    ids = repeated_ids(30, length=9, count=2, rng=RNG)
    itself, induction, everywhere = induction_scores(Built(), ids)[0]
    assert (itself, induction) == (0, 1)
    expected = np.mean([1 / (i + 1) for i in range(9, 17)])
    assert everywhere == pytest.approx(expected, abs=1e-7)


def test_the_gain_of_a_model_that_only_repeats() -> None:
    ids = repeated_ids(30, length=9, count=2, rng=RNG)
    knows = -np.log(np.exp(9) / (np.exp(9) + 29))
    assert repetition_gain(Built(), ids) == pytest.approx(np.log(30) - knows, abs=1e-6)


def test_a_model_that_learned_nothing_has_neither() -> None:
    model = model_of(vocabulary_size=30, layers=2).train()
    ids = repeated_ids(30, length=14, count=50, rng=RNG)
    scores = induction_scores(model, ids)
    assert scores.shape == (2, 2) and (scores < 0.1).all()
    assert abs(repetition_gain(model, ids)) < 0.1
    assert model.training  # as it was


class ByPlace(torch.nn.Module):
    """A model that is surer of token 0 the longer the window is."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        logits = torch.zeros(*ids.shape, 2)
        logits[..., 0] = torch.arange(ids.shape[1]) / 10
        return logits


def test_what_a_context_is_worth() -> None:
    def loss(place: int) -> float:
        return float(np.log1p(np.exp(-place / 10)))

    zeros = torch.zeros(3, 70, dtype=torch.long)
    early, late = (np.mean([loss(i) for i in places]) for places in (range(16), range(64, 70)))
    batches: list[Any] = [Batch(zeros, zeros), Batch(zeros[:, :65], zeros[:, :65])]
    assert context_gain(ByPlace(), batches) == pytest.approx(early - late, abs=1e-6)
    with pytest.raises(ValueError, match="batches must have a window of more than 64 tokens"):
        context_gain(ByPlace(), [Batch(zeros[:, :64], zeros[:, :64])])


test_bad_arguments = refusals(
    ("length must be at most 30, the .* got 31", dict(length=31, count=1)),
    ("count must be an integer of 1 or more", dict(length=3, count=0)),
    of=lambda given: repeated_ids(30, **given, rng=RNG),
)
