"""The command `python -m transformer_lib.training`: what it writes, refuses and survives."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import transformer_lib as tl
from book.paths import ROOT
from transformer_lib.training import __main__ as command, read_run

TOML = """
[language]
kind = "agreement"
most = 1

[model]
kind = "decoder"
d_model = 8
heads = 2
layers = 1
d_ff = 8
dropout = 0.1

[training]
steps = 40
batch_size = 4
warm_up = 10
checkpoint_every = 5
"""
RNN = TOML.replace('"decoder"', '"rnn"').replace("heads = 2\nlayers = 1\nd_ff = 8\n", "")
RNN = RNN.replace("dropout = 0.1\n", "")
TRANSLATION = TOML.replace('"agreement"\nmost = 1', '"translation"').replace(
    '"decoder"', '"encoder-decoder"'
)


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.training.runs.HELD_OUT", 20)


def written(folder: Path, text: str = TOML) -> Path:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [TOML, RNN, TRANSLATION], ids=["decoder", "rnn", "translation"])
def test_it_keeps_a_model_and_its_story(text: str, tmp_path: Path) -> None:
    path, out = written(tmp_path, text), tmp_path / "out" / "deep"
    assert command.main([str(path), "--out", str(out)]) == 0
    assert sorted(p.name for p in out.iterdir()) == ["small.json", "small.safetensors"]
    about = json.loads((out / "small.json").read_text(encoding="utf-8"))["about"]
    assert about["command"] == f"python -m transformer_lib.training {path}"
    assert (about["seed"], about["steps"]) == (0, 40)
    assert about["loss"] < 4.0
    _, config = tl.read_model(out / "small.safetensors")
    assert config == read_run(path).config


def test_a_stopped_run_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, RNN)
    (tmp_path / "small.checkpoint.json").write_text("{}", encoding="utf-8")
    assert command.main([str(path)]) == 2
    assert "small.checkpoint.json belongs to a run that was stopped" in capsys.readouterr().err
    assert command.main([str(path), "--resume"]) == 2
    assert "is another kind of file" in capsys.readouterr().err
    assert not (tmp_path / "small.safetensors").exists()


BAD: dict[str, tuple[str, str]] = {
    "not TOML": ("[language", "is not TOML"),
    "no section": (TOML.replace("[model]", "[models]"), "must have the sections"),
    "no table": ("language = 1\nmodel = 2\ntraining = 3", "must have the sections"),
    "language": (TOML.replace('"agreement"', '"french"'), r"\[language\]: kind must be one of"),
    "argument": (TOML.replace("most", "least"), r"\[language\]: least is unknown; .*most"),
    "its range": (TOML.replace("most = 1", "most = -1"), r"\[language\]: most must be"),
    "kind": (TOML.replace('"decoder"', '"encoder"'), r"\[model\]: kind must be one of .* got 'enc"),
    "kind and language": (TRANSLATION.replace("encoder-decoder", "rnn"), r"\[model\]: kind must"),
    "field": (TOML.replace("heads", "head"), r"\[model\]: head is unknown; .*heads"),
    "heads": (TOML.replace("heads = 2", "heads = 3"), r"\[model\]: d_model must be a multiple"),
    "setting": (TOML.replace("warm_up", "warmup"), r"\[training\]: warmup is unknown; .*warm_up"),
    "steps": (TOML.replace("steps = 40", "steps = 1.5"), r"\[training\]: steps must be an int"),
    "seeds": (TOML.replace("steps", "seeds = 0\nsteps"), r"\[training\]: seeds must be an int"),
    "batch": (TOML.replace("batch_size = 4\n", ""), r"\[training\]: batch_size must be given"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_does_not_fit(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], unhooked: None
) -> None:
    text, says = BAD[case]
    with pytest.raises(ValueError, match=says):
        read_run(written(tmp_path, text))
    assert command.main([str(tmp_path / "small.toml")]) == 2
    assert "Stopped: " in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["small.toml"]


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


@pytest.mark.slow
def test_killed_at_any_moment_it_resumes_to_the_same_end(tmp_path: Path) -> None:
    short = TOML.replace("steps = 40", "steps = 12").replace("most = 1", "most = 0")
    path, out = written(tmp_path, short), tmp_path / "out"
    # One thread: the last bits of a sum depend on how many share it.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    module = [sys.executable, "-m", "tests.training.killed", str(path), str(out)]
    done = subprocess.run(module, env=environment, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    *killed, last = [tuple(map(int, words[1:])) for words in lines if words[0] == "ended"]
    assert set(killed) == {(-signal.SIGKILL, 0)} and last == (0, 0)
    # Two checkpoints and what is kept, with some eight touches each.
    assert len(killed) > 20
    for at in range(1, len(killed) + 1):
        names = sorted(p.name for p in (out / str(at)).iterdir())
        assert names == ["small.json", "small.safetensors"], at
        for name in names:
            assert (out / str(at) / name).read_bytes() == (out / "0" / name).read_bytes(), at
