"""The models in chapters/models load, reach their recorded loss and meet their targets."""

import json
from pathlib import Path
from typing import Any

import pytest

from book.paths import ROOT
from course.training import batch_of, exact_match, held_out_sentences
from course.training.runs import HELD_OUT, measures
from transformer_lib.training import RealText, load_model, mean_loss, read_run, token_loss

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]
FOLDER = ROOT / "chapters" / "models"
KEPT = [path for path in sorted(FOLDER.glob("*.safetensors")) if ".checkpoint." not in path.name]
every = pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)


def about(path: Path) -> Any:
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["about"]


@every
def test_it_reaches_its_recorded_loss(path: Path) -> None:
    run, model = read_run(path.with_suffix(".toml")), load_model(path)
    assert model.config == run.config
    if isinstance(run.language, RealText):
        loss = token_loss(model, run.language.windows("test"))
    else:
        loss = mean_loss(model, batch_of(run.language, held_out_sentences(run.language, HELD_OUT)))
    assert float(f"{loss:.4g}") == about(path)["loss"]


@every
def test_it_is_small_and_says_how_it_was_made(path: Path) -> None:
    assert path.stat().st_size < 2_000_000
    story, run = about(path), read_run(path.with_suffix(".toml"))
    name = f"chapters/models/{path.stem}.toml"
    assert story["command"] == f"python -m transformer_lib.training {name}"
    assert (story["seed"], story["steps"]) == (run.settings.seed, run.settings.steps)


def test_the_language_model_is_within_2_percent_of_the_floor_and_agrees() -> None:
    path = FOLDER / "agreement_transformer.safetensors"
    found = measures(load_model(path), read_run(path.with_suffix(".toml")).language)
    assert found["loss"] < 1.02 * found["floor"]
    assert found["accuracy_at_longest"] >= 0.98


def test_the_translations_match() -> None:
    path = FOLDER / "translation.safetensors"
    language = read_run(path.with_suffix(".toml")).language
    model: Any = load_model(path)
    assert exact_match(model, language, held_out_sentences(language, HELD_OUT)) >= 0.99  # type: ignore[arg-type]


def test_the_agreement_models_share_data_and_steps() -> None:
    runs = [read_run(FOLDER / f"agreement_{k}.toml") for k in ("transformer", "rnn", "lstm")]
    assert len({(repr(run.language), run.settings) for run in runs}) == 1
