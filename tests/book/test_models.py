"""`make models` trains what is out of date and nothing else, and replaces no weights unasked.

The page of the real text and the vocabularies beside it are those of today, too.
"""

import bz2
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from book import corpus, figures as measured, models, story
from transformer_lib.text.corpus import END
from transformer_lib.training import __main__ as command, load_model

TOML = """# A comment that trains nothing.
[language]
kind = "agreement"
most = 1

[model]
kind = "rnn"
d_model = 4

[training]
seed = 5
steps = 3
warm_up = 3
batch_size = 2
"""


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.training.runs.HELD_OUT", 20)


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "models" / "small.toml"
    path.parent.mkdir()
    path.write_text(TOML, encoding="utf-8")
    return path


def updated(toml: Path) -> bool:
    return models.update(toml, toml.parent, toml.parent.parent / "work")


def figures(toml: Path) -> dict:
    return json.loads((toml.parent / "figures.json").read_text(encoding="utf-8"))["small"]


def kept(toml: Path) -> Path:
    """The weights of the first seed, kept beside the TOML file as the book keeps its own."""
    assert command.main([str(toml)]) == 0
    return toml.with_suffix(".safetensors")


def test_three_seeds_are_trained_and_their_spread_is_kept(toml):
    assert updated(toml)
    found = figures(toml)
    assert found["seeds"] == [5, 6, 7]
    losses = found["figures"]["loss"]["each"]
    assert len(set(losses)) == 3
    assert found["figures"]["loss"]["spread"] == pytest.approx(max(losses) - min(losses), abs=1e-4)
    assert not toml.with_suffix(".safetensors").exists()


def test_the_seed_is_that_of_a_run_of_the_command_line(toml):
    updated(toml)
    work = toml.parent.parent / "work"
    by_hand = toml.with_name("by_hand.toml")
    by_hand.write_text(TOML.replace("seed = 5", "seed = 6"), encoding="utf-8")
    assert command.main([str(by_hand)]) == 0
    theirs = load_model(by_hand.with_suffix(".safetensors")).state_dict()
    ours = load_model(models.trained(toml, 6, work)).state_dict()
    assert all((theirs[name] == ours[name]).all() for name in theirs)


def test_what_is_up_to_date_is_left_alone(toml, monkeypatch, capsys):
    updated(toml)
    monkeypatch.setattr(models, "trained", None)
    toml.write_text("# Another comment.\n" + TOML, encoding="utf-8")
    assert not updated(toml)
    assert "up to date" in capsys.readouterr().out


def test_more_seeds_in_the_run_file_train_the_missing_ones_alone(toml, monkeypatch):
    updated(toml)
    before, train, asked = figures(toml), models.trained, []
    toml.write_text(TOML.replace("seed = 5", "seeds = 5\nseed = 5"), encoding="utf-8")

    def recorded(toml, seed, work):
        asked.append(seed)
        return train(toml, seed, work)

    monkeypatch.setattr(models, "trained", recorded)
    assert updated(toml)
    after = figures(toml)
    assert asked == [8, 9] and after["seeds"] == [5, 6, 7, 8, 9]
    assert after["digest"] == before["digest"]
    losses = after["figures"]["loss"]["each"]
    assert losses[:3] == before["figures"]["loss"]["each"] and len(losses) == 5
    assert not updated(toml) and asked == [8, 9]


@pytest.mark.parametrize("change", ["toml", "version"])
def test_a_change_of_the_run_or_of_the_version_trains_anew(toml, change, monkeypatch, capsys):
    updated(toml)
    before = figures(toml)
    if change == "toml":
        toml.write_text(TOML.replace("steps = 3", "steps = 9"), encoding="utf-8")
    else:
        monkeypatch.setattr(models, "VERSION", models.VERSION + 1)
    assert updated(toml)
    assert figures(toml)["digest"] != before["digest"]
    old, new = (f["figures"]["loss"]["each"][1] for f in (before, figures(toml)))
    assert (old != new) == (change == "toml")
    assert f"seed 6: loss {new}, before {old}" in capsys.readouterr().out


def test_a_stopped_run_goes_on_with_the_seeds_that_are_left(toml, monkeypatch):
    calls = []

    def train(arguments):
        calls.append(Path(arguments[0]).parent.name[-1])
        return command_main(arguments) if calls != ["5", "6"] else 2

    command_main = command.main
    monkeypatch.setattr(command, "main", train)
    with pytest.raises(SystemExit, match="small with seed 6"):
        updated(toml)
    assert updated(toml)
    assert calls == ["5", "6", "6", "7"]


def test_kept_weights_stay_until_one_asks(toml, capsys):
    weights = kept(toml)
    updated(toml)
    before = weights.read_bytes()
    toml.write_text(TOML.replace("steps = 3", "steps = 9"), encoding="utf-8")
    updated(toml)
    assert weights.read_bytes() == before
    assert "--replace small puts it in place of the kept" in capsys.readouterr().out
    models.replace(toml, toml.parent, toml.parent.parent / "work")
    assert weights.read_bytes() != before
    told = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))["about"]
    assert told["steps"] == 9 and told["command"].endswith("models/small.toml")
    assert "loss" in capsys.readouterr().out
    assert torch.isfinite(load_model(weights).state_dict()["embedding.tokens"]).all()


def test_an_unknown_name_is_refused(capsys):
    assert models.main(["no_such_run"]) == 2
    assert "no TOML file for no_such_run" in capsys.readouterr().err


TEXT = """[text]
path = "TEXT"
vocabulary = 260
length = 8

[model]
kind = "decoder"
d_model = 4
heads = 1
layers = 1
d_ff = 4

[training]
steps = 4
batch_size = 2
rate = 0.01
validate_every = 2
"""


@pytest.fixture
def of_text(tmp_path: Path) -> Path:
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join(f"Document {n}. " * 80 for n in range(60)), encoding="utf-8")
    path = tmp_path / "models" / "small.toml"
    path.parent.mkdir()
    path.write_text(TEXT.replace("TEXT", str(text)), encoding="utf-8")
    return path


def test_a_run_on_text_keeps_its_curves_its_tokenizer_and_its_log(of_text):
    assert updated(of_text)
    found = figures(of_text)["figures"]
    assert found["curve_steps"]["each"] == [[2, 4]] * 3
    log = next((of_text.parent.parent / "work").glob("*_0")) / "small.csv"
    rows = [line.split(",") for line in log.read_text(encoding="utf-8").splitlines()]
    place = rows[0].index("loss")
    losses = [float(row[place]) for row in rows[1:]]
    means = [sum(losses[:2]) / 2, sum(losses[2:]) / 2]
    assert found["curve_train"]["each"][0] == pytest.approx(means, abs=1e-4)
    validation = rows[0].index("validation_loss")
    looks = [float(row[validation]) for row in rows[2::2]]
    assert found["curve_validation"]["each"][0] == pytest.approx(looks, abs=1e-4)
    models.replace(of_text, of_text.parent, of_text.parent.parent / "work")
    names = {path.name for path in of_text.parent.iterdir()}
    assert {"small.safetensors", "small.tokenizer.json", "small.csv", "small.json"} <= names


def test_programs_are_divided_by_the_bytes_that_models_are_divided_by(monkeypatch):
    monkeypatch.setattr(measured, "_counted", lambda text, order: 1.0)
    monkeypatch.setattr(measured, "_bits", lambda text, probabilities: 0.0)
    documents = ["a short one", "another, longer", "the last of three"]
    found = measured._baselines.__wrapped__(SimpleNamespace(documents=lambda part: documents))
    packed = len(bz2.compress(END.join(documents).encode(), 9))
    assert found["compressed_bits"][1] == pytest.approx(8 * packed / len("".join(documents)))


def test_the_story_is_that_of_the_run_the_log_and_the_figures() -> None:
    assert story.PAGE.read_text(encoding="utf-8") == story.written(), "run `python -m book.story`"


def test_the_kept_vocabularies_are_those_that_are_learned() -> None:
    kept = json.loads(corpus.UNITS.read_text(encoding="utf-8"))
    # Another corpus comes with other pins of numpy and torch: call python -m book.corpus.
    assert kept == corpus.learned()
