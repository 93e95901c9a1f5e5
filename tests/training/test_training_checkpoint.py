import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.refusals import refusals
from tests.training.small import draw, edited, model_of, settings
from transformer_lib.model.safetensors import read_safetensors, write_safetensors
from transformer_lib.training import TrainingState, load_checkpoint, save_checkpoint, train
from transformer_lib.training.checkpoint import remove_checkpoint

kinds = pytest.mark.parametrize("kind", ["decoder", "rnn", "lstm"])


class Killed(Exception):
    """Stands for the end of the process."""


def stopping(at: int) -> Any:
    """Return a `draw` that is killed at a step."""
    calls: Iterator[int] = iter(range(1, at + 1))

    def stopped(rng: np.random.Generator) -> Any:
        if next(calls) == at:
            raise Killed
        return draw(rng)

    return stopped


def everything(state: TrainingState) -> Any:
    """Return all that a checkpoint holds, as text."""
    parameters, moments = dict(state.model.named_parameters()), [*state.optimizer.state.values()]
    random = (state.rng.bit_generator.state, state.dropout)
    return repr([state.history.losses, parameters, moments, random])


@kinds
@pytest.mark.parametrize("at", [11, 28])
def test_a_killed_run_loses_the_steps_since_its_checkpoint_and_ends_as_one_that_was_not(
    kind: str, at: int, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    with pytest.raises(Killed):
        train(model_of(kind), stopping(at), settings(), checkpoint=path, progress=False)
    state = TrainingState(model_of(kind), settings())
    load_checkpoint(path, state)
    assert state.history.steps == at // 10 * 10
    whole, resumed = model_of(kind), model_of(kind, seed=7)  # another start, which must not matter
    expected = train(whole, draw, settings(), progress=False)
    history = train(resumed, draw, settings(), checkpoint=path, progress=False)
    assert history.losses == expected.losses
    assert history.norms == expected.norms and history.rates == expected.rates
    for name, value in whole.state_dict().items():
        assert torch.equal(resumed.state_dict()[name], value), name


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    train(model_of(), draw, settings(steps=10), checkpoint=path, progress=False)
    return path


def tensors_of(path: Path) -> Path:
    (found,) = path.parent.glob("*.safetensors")
    return found


def refused(path: Path, says: str, **changes: Any) -> None:
    """Assert that the checkpoint is refused and the run it was for is as before."""
    model = model_of(**changes.pop("model", {}))
    train(model, draw, settings(steps=3, **changes), progress=False)
    state = TrainingState(model, settings(**changes))
    before = everything(state)
    with pytest.raises(ValueError, match=says):
        load_checkpoint(path, state)
    with pytest.raises(ValueError, match=says):
        train(model, draw, settings(**changes), checkpoint=path, progress=False)
    assert everything(state) == before


def test_only_the_newest_tensors_stay(saved: Path) -> None:
    first = tensors_of(saved)
    train(model_of(), draw, settings(steps=20), checkpoint=saved, progress=False)
    assert tensors_of(saved) != first
    assert sorted(p.suffix for p in saved.parent.iterdir()) == [".json", ".safetensors"]
    remove_checkpoint(saved)
    assert not list(saved.parent.iterdir())
    remove_checkpoint(saved)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("which", ["json", "tensors"])
def test_a_file_that_is_cut_short(which: str, share: float, saved: Path) -> None:
    file = saved if which == "json" else tensors_of(saved)
    data = file.read_bytes()
    file.write_bytes(data[: int(share * (len(data) - 2))])
    refused(saved, "is not complete|is not a complete safetensors file")


def test_a_changed_byte(saved: Path) -> None:
    file = tensors_of(saved)
    data = bytearray(file.read_bytes())
    data[-5] ^= 1
    file.write_bytes(data)
    refused(saved, "has changed since it was written")


FOREIGN: dict[str, tuple[Any, str]] = {
    "a web page": (
        lambda p: p.write_text("<html></html>", encoding="utf-8"),
        "is not complete: it is not JSON",
    ),
    "bytes": (lambda p: p.write_bytes(b"\xff\xfe"), "is not complete: it is not JSON"),
    "a list": (
        lambda p: p.write_text("[1]", encoding="utf-8"),
        "is another kind of file: it needs configuration",
    ),
    "another object": (
        lambda p: p.write_text('{"a": 1}', encoding="utf-8"),
        "is another kind of file",
    ),
    "no configuration": (lambda p: edited(p, configuration=3), "its configuration is 3"),
    "no tensors": (lambda p: edited(p, tensors="none.safetensors"), "are not in the same folder"),
    "tensors elsewhere": (
        lambda p: edited(p, tensors="../x.safetensors"),
        "are not in the same folder",
    ),
    "tensors a number": (lambda p: edited(p, tensors=3), "are not in the same folder"),
    "generator": (lambda p: edited(p, generator={"a": 1}), "contains no state of a generator"),
    "generator text": (lambda p: edited(p, generator="x"), "contains no state of a generator"),
    "seconds": (lambda p: edited(p, seconds="x"), "seconds must be a number"),
    "no file": (lambda p: tensors_of(p).unlink(), "are not in the same folder"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_foreign_file(case: str, saved: Path) -> None:
    spoil, says = FOREIGN[case]
    spoil(saved)
    refused(saved, says)


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "width": (
        dict(model=dict(d_model=10)),
        "its configuration has d_model = 8, but this one has 10",
    ),
    "kind": (dict(model=dict(kind="lstm")), "its configuration has"),
    "seed": (dict(seed=3), "its settings has seed = 0, but this one has 3"),
    "warm_up": (dict(warm_up=3), "warm_up = 2, but this one has 3"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_checkpoint_of_another_run(case: str, saved: Path) -> None:
    changes, says = OTHERS[case]
    refused(saved, says, **changes)


def test_an_older_checkpoint_has_the_defaults_of_what_was_added_since(saved: Path) -> None:
    expected = TrainingState(model_of(), settings())
    load_checkpoint(saved, expected)
    content = json.loads(saved.read_text(encoding="utf-8"))
    arrays = read_safetensors(saved.parent / content["tensors"])
    older = {name: x for name, x in arrays.items() if not name.startswith("validation_")}
    file = saved.parent / "older.safetensors"
    write_safetensors(older, file)
    name = f"run.{hashlib.sha256(file.read_bytes()).hexdigest()[:16]}.safetensors"
    file.rename(saved.parent / name)
    since = ("schedule", "weight_decay", "precision", "patience", "accumulate", "validate_every")
    kept = {key: value for key, value in content["settings"].items() if key not in since}
    before = {key: value for key, value in content.items() if key not in ("data", "tokens")}
    saved.write_text(json.dumps(before | {"settings": kept, "tensors": name}), encoding="utf-8")
    state = TrainingState(model_of(), settings())
    load_checkpoint(saved, state)
    assert state.history.losses == expected.history.losses
    assert (state.history.tokens, state.history.validation_losses) == (0, [])
    refused(saved, "has weight_decay = 0.0, but this one has 0.1", weight_decay=0.1)


def test_a_checkpoint_of_another_text_says_what_to_do(saved: Path) -> None:
    with pytest.raises(ValueError, match="continue with those of the checkpoint, or delete it"):
        load_checkpoint(saved, TrainingState(model_of(), settings(), data="another digest"))


def test_tensors_of_another_model_under_the_right_name(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "run.json"
    other.parent.mkdir()
    train(model_of("rnn"), draw, settings(steps=10), checkpoint=other, progress=False)
    name = json.loads(other.read_text(encoding="utf-8"))["tensors"]
    (other.parent / name).rename(saved.parent / name)
    edited(saved, tensors=name)
    refused(saved, "does not contain the tensors of this model")


@pytest.mark.parametrize("which", range(4))
def test_killed_while_a_checkpoint_is_written(
    which: int, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kill the run before each of the calls that put a file in its place."""
    state = TrainingState(model_of(), settings())
    load_checkpoint(saved, state)
    before = everything(state)
    replace, calls = os.replace, []

    def counted(*paths: Any) -> None:
        calls.append(paths)
        if len(calls) == which + 1:
            raise Killed
        replace(*paths)

    monkeypatch.setattr(os, "replace", counted)
    try:
        train(state.model, draw, settings(steps=20), checkpoint=saved, progress=False)
    except Killed:
        again = TrainingState(model_of(), settings())
        load_checkpoint(saved, again)
        assert everything(again) == before
    else:
        assert len(calls) <= which, "every call was spared"


test_bad_paths = refusals(
    ("path must end in .json, got 'run.pt'", lambda s: save_checkpoint("run.pt", s)),
    ("path must end in .json, got 3", lambda s: load_checkpoint(3, s)),
    ("path must end in .json", lambda s: remove_checkpoint("run")),
    of=lambda call: call(TrainingState(model_of(), settings())),
)


def test_no_checkpoint_to_load(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_checkpoint(tmp_path / "none.json", TrainingState(model_of(), settings()))
