import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from book.paths import ROOT
from tests.training.small import draw, edited, model_of
from transformer_lib import nn
from transformer_lib.training import load_model, save_model

KINDS = ["decoder", "encoder-decoder", "rnn", "lstm"]
kinds = pytest.mark.parametrize("kind", KINDS)
BATCH = draw(np.random.default_rng(3))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


def logits_of(model: Any) -> Any:
    encodes = getattr(model.config, "has_encoder", False)
    return model(BATCH.ids, BATCH.ids[:, :2]) if encodes else model(BATCH.ids)


@kinds
def test_a_model_comes_back_as_it_was(kind: str, path: Path) -> None:
    model = model_of(kind, seed=3).eval()
    save_model(path, model, about={"command": "make", "seed": 3})
    again = load_model(str(path))
    assert type(again) is type(model) and again.config == model.config
    assert not again.training
    assert torch.equal(logits_of(again), logits_of(model))
    assert json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["about"]["seed"] == 3
    assert sorted(p.name for p in path.parent.iterdir()) == ["model.json", "model.safetensors"]


@kinds
def test_numpy_runs_a_kept_model_where_torch_cannot_be_imported(kind: str, path: Path) -> None:
    model = model_of(kind).eval()
    save_model(path, model)
    code = """
import sys
sys.modules["torch"] = None
import numpy as np
import transformer_lib as tl
parameters, config = tl.read_model(sys.argv[1])
ids = np.array(eval(sys.argv[2]))
if config.kind in ("rnn", "lstm"):
    logits = tl.recurrent_forward(parameters, config, ids)
else:
    logits = tl.forward(parameters, config, ids, ids[:, :2] if config.has_encoder else None)
np.save(sys.argv[3], logits)
"""
    out = path.with_suffix(".npy")
    command = [sys.executable, "-c", code, str(path), str(BATCH.ids.tolist()), str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    logits = np.load(out)
    assert logits.dtype == np.float32
    np.testing.assert_allclose(logits, logits_of(model).detach(), rtol=1e-5, atol=1e-5)


def test_saving_over_a_model_replaces_it(path: Path) -> None:
    save_model(path, model_of("rnn"))
    save_model(path, model_of("decoder"))
    assert isinstance(load_model(path), nn.Transformer)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_that_is_cut_short(name: str, share: float, path: Path) -> None:
    save_model(path, model_of())
    file = path.parent / name
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(ValueError, match=rf"{name} is not (a )?complete"):
        load_model(path)


def test_two_files_that_do_not_belong_together(path: Path) -> None:
    save_model(path, model_of(seed=1))
    other = path.with_name("other.safetensors")
    save_model(other, model_of(seed=2))
    other.replace(path)
    with pytest.raises(ValueError, match=r"is not the file that model.json was written with"):
        tl.read_model(path)


FOREIGN: dict[str, tuple[dict[str, Any], str]] = {
    "a list": (dict(configuration=[]), "must give the configuration by name"),
    "unknown field": (dict(configuration={"kind": "decoder", "x": 1}), "no configuration"),
    "unknown kind": (dict(configuration={"kind": "gru"}), "no configuration"),
    "kind a list": (dict(configuration={"kind": []}), "no configuration"),
    "a range": (dict(configuration={"kind": "rnn", "vocabulary_size": 0, "d_model": 2}), "no conf"),
    "another shape": (
        dict(configuration={"kind": "rnn", "vocabulary_size": 5, "d_model": 8}),
        r"parameters\['embedding.tokens'\] must be \(5, 8\), got \(8, 8\)",
    ),
    "another kind": (
        dict(configuration={"kind": "decoder", "vocabulary_size": 8, "d_model": 8, "layers": 0}),
        "contains unknown names",
    ),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_foreign_story(case: str, path: Path) -> None:
    changes, says = FOREIGN[case]
    save_model(path, model_of("rnn"))
    edited(path.with_suffix(".json"), **changes)
    with pytest.raises(ValueError, match=says):
        tl.read_model(path)


def test_a_story_that_lacks_a_part(path: Path) -> None:
    save_model(path, model_of("rnn"))
    path.with_suffix(".json").write_text('{"model_type": "gpt2"}', encoding="utf-8")
    with pytest.raises(ValueError, match="is another kind of file: it needs configuration, sha256"):
        tl.read_model(path)


def test_files_that_are_not_there(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_model(path)
    save_model(path, model_of("rnn"))
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load_model(path)


BAD: dict[str, tuple[Any, str]] = {
    "path": (lambda p: save_model(p.with_suffix(".pt"), model_of()), "path must end in .safet"),
    "number": (lambda p: load_model(3), "path must end in .safetensors, got 3"),
    "model": (lambda p: save_model(p, torch.nn.Linear(2, 2)), "model must be a Transformer or"),
    "about": (
        lambda p: save_model(p, model_of(), about={"x": p}),
        "about must be serializable as JSON",
    ),
    "nan": (
        lambda p: save_model(p, model_of(), about={"x": np.nan}),
        "about must be serializable as JSON",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_write_nothing(case: str, path: Path, unhooked: None) -> None:
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call(path)
    assert not list(path.parent.iterdir())
