"""Training and measuring on the fact language, where nothing need be drawn to measure."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from course.languages import FactLanguage
from course.training import batch_of, draws_from, held_out_sentences, measures
from course.training.evaluation import expected_loss, known_facts
from transformer_lib import Configuration
from transformer_lib.nn import Transformer
from transformer_lib.training import read_run

LANGUAGE = FactLanguage(names=3, days=2)
WORDS = LANGUAGE.vocabulary


class Oracle(torch.nn.Module):
    """Knows names, days and the end, and the dishes of some names; of others any dish will do."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.names = names

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        chances = torch.full((*ids.shape, len(WORDS)), 1e-300, dtype=torch.float64)
        for row, at in zip(ids.tolist(), chances, strict=True):
            _, name, day = WORDS.decode(row[:3])
            for (*words, _), p in LANGUAGE.sentences():
                at[0, WORDS.encode(words)[0]] += p
                at[1, WORDS.encode(words)[1]] += p
            known = name in self.names
            at[2, -32:] += 1 / 32 * (not known)
            at[2, WORDS.encode([LANGUAGE.dish[name, day]])[0]] += known
            at[3, WORDS.end_id] = 1.0
        return chances.log()


def test_who_knows_everything_is_at_the_floor() -> None:
    oracle = Oracle(LANGUAGE.names)
    assert math.isclose(expected_loss(oracle, LANGUAGE), LANGUAGE.entropy_per_token())
    assert known_facts(oracle, LANGUAGE) == pytest.approx(1, abs=1e-12)


def test_measures_of_a_model_are_its_loss_and_how_far_the_floor_is() -> None:
    model = Transformer(Configuration(kind="decoder", vocabulary_size=len(WORDS), d_model=8))
    found, loss = measures(model, LANGUAGE), expected_loss(model, LANGUAGE)
    floor = LANGUAGE.entropy_per_token()
    wanted = {"loss": loss, "floor": floor, "excess": loss - floor}
    wanted["known"] = known_facts(model, LANGUAGE)
    assert found == pytest.approx(wanted, rel=1e-3) and found["excess"] > 0


def test_a_name_without_its_dishes_costs_its_share_of_ln_32() -> None:
    """The second of three names stands in 1/2 of 1 + 1/2 + 1/3 of all sentences."""
    share = (1 / 2) / (1 + 1 / 2 + 1 / 3)
    oracle = Oracle([LANGUAGE.names[0], LANGUAGE.names[2]])
    excess = expected_loss(oracle, LANGUAGE) - LANGUAGE.entropy_per_token()
    assert math.isclose(excess, share * math.log(32) / 4)
    assert 1 - share <= known_facts(oracle, LANGUAGE) < 1


def test_batches_are_drawn_like_sentences() -> None:
    batch = draws_from(LANGUAGE, 5)(np.random.default_rng(3))
    rng = np.random.default_rng(3)
    drawn = batch_of(LANGUAGE, [LANGUAGE.sample(rng) for _ in range(5)])
    assert torch.equal(batch.ids, drawn.ids) and batch.targets.shape == (5, 4)
    assert len(held_out_sentences(LANGUAGE, 7)) == 7


def test_a_run_file_names_the_language(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text(
        '[language]\nkind = "facts"\nnames = 3\ndays = 2\n[model]\nkind = "decoder"\n'
        "[training]\nsteps = 1\nbatch_size = 4\n",
        encoding="utf-8",
    )
    run = read_run(path)
    assert repr(run.language) == repr(LANGUAGE)
    assert run.config.vocabulary_size == len(WORDS)
