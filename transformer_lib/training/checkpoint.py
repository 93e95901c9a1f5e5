"""Checkpoints of a run: its whole state on disk, so that it can continue to the very same end.

A checkpoint is NAME.json and, in the same folder, a safetensors file named after the hash of its
contents. The tensors are written first, and only replacing NAME.json makes the new checkpoint
valid, so a run that is killed between the two steps leaves the old checkpoint whole.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.model.files import read_json
from transformer_lib.model.safetensors import read_safetensors, write_safetensors
from transformer_lib.training.state import History, TrainingState

MAY_DIFFER = {"steps", "checkpoint_every"}  # settings that a resumed run may change
KEYS = ("configuration", "settings", "generator", "seconds", "tensors")
OLDER: dict[str, Any] = {
    "data": "",
    "tokens": 0,
}  # what checkpoints lack that were written before there was text
MOMENTS = ("exp_avg", "exp_avg_sq")
SERIES = ("losses", "norms", "rates")
LOOKS = ("validation_steps", "validation_losses")


def save_checkpoint(path: str | Path, state: TrainingState) -> None:
    """Write a checkpoint, which replaces the one before.

    Args:
        path: NAME.json, in a folder that exists.
        state: the state to save: parameters, optimizer, both random states, and history.

    Raises:
        ValueError: path does not end in .json, or a parameter is neither float32 nor float64.
    """
    path = json_path(path=path)
    _check_dtypes(state)
    tensors = _new_tensors(path, _arrays(state))
    content = {
        "configuration": asdict(state.model.config),
        "settings": asdict(state.settings),
        "data": state.data,
        "generator": state.rng.bit_generator.state,
        "seconds": state.history.seconds,
        "tokens": state.history.tokens,
        "tensors": tensors.name,
    }
    with whole_file(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _remove_tensors(path, but=tensors)


def _check_dtypes(state: TrainingState) -> None:
    for name, parameter in state.model.named_parameters():
        if parameter.dtype not in (torch.float32, torch.float64):
            raise ValueError(
                f"{name} must be float32 or float64 to be saved, got {parameter.dtype}"
            )


def remove_checkpoint(path: str | Path) -> None:
    """Remove a checkpoint, if one exists."""
    path = json_path(path=path)
    path.unlink(missing_ok=True)
    _remove_tensors(path)


def load_checkpoint(path: str | Path, state: TrainingState) -> None:
    """Restore a training run to the state in which its checkpoint was written.

    Args:
        path: NAME.json; its tensors are in the same folder.
        state: a new state with the same model, settings and data. Only `checkpoint_every` may
            differ, and `steps` if no schedule of the learning rate ends there. A setting that is
            missing in an older checkpoint has its default, the only value at that time.

    Raises:
        FileNotFoundError: the checkpoint does not exist.
        ValueError: a file is cut short or of another kind, or belongs to a run with another model,
            other settings or other data. Nothing is changed then.
    """
    path = json_path(path=path)
    content = OLDER | read_json(path, KEYS)
    _check_same(path, "configuration", content, state.model.config)
    _check_same(path, "settings", content, state.settings)
    if content["data"] != state.data:
        raise ValueError(
            f"{path} belongs to a run with another text or tokenizer ({content['data']!r}; this "
            f"run has {state.data!r}): continue with those of the checkpoint, or delete it "
            "and start again"
        )
    arrays = {name: np.zeros(0) for name in LOOKS} | _read_tensors(path, content["tensors"])
    if _kinds(arrays) != _kinds(_arrays(state)) or not _as_long(arrays):
        raise ValueError(f"{path} does not contain the tensors of this model")
    for name in ("seconds", "tokens"):
        if not isinstance(content[name], int | float):
            raise ValueError(f"{path}: {name} must be a number, got {content[name]!r}")
    rng = _generator(path, content["generator"])
    series = {name: arrays[name].tolist() for name in (*SERIES, *LOOKS)}
    history = History(**series, seconds=float(content["seconds"]), tokens=int(content["tokens"]))
    _restore(state, arrays, rng, history)


def _restore(
    state: TrainingState, arrays: dict[str, Any], rng: np.random.Generator, history: History
) -> None:
    state.rng = rng
    state.dropout = torch.from_numpy(arrays["dropout"])
    state.history = history
    state.best = {name: torch.from_numpy(arrays[f"best.{name}"]) for name in state.best}
    with torch.no_grad():
        for name, parameter in state.model.named_parameters():
            parameter.copy_(torch.from_numpy(arrays[f"model.{name}"]))
            state.optimizer.state[parameter] = {
                "step": torch.tensor(float(state.history.steps), device=parameter.device)
            } | {
                moment: torch.from_numpy(arrays[f"{moment}.{name}"]).to(parameter.device)
                for moment in MOMENTS
            }


def _arrays(state: TrainingState) -> dict[str, Any]:
    """Return everything that is a tensor; the moments of an optimizer that has not begun are 0."""
    arrays = {
        name: np.array(getattr(state.history, name), np.float64) for name in (*SERIES, *LOOKS)
    }
    arrays["dropout"] = state.dropout.numpy()
    for name, parameter in state.model.named_parameters():
        arrays[f"model.{name}"] = parameter.detach().cpu().numpy()
        moments = state.optimizer.state.get(parameter, {})
        for moment in MOMENTS:
            moved = moments.get(moment, torch.zeros_like(parameter)).cpu()
            arrays[f"{moment}.{name}"] = moved.numpy()
    return arrays | {f"best.{name}": value.cpu().numpy() for name, value in state.best.items()}


def _as_long(arrays: dict[str, Any]) -> bool:
    return all(len({len(arrays[name]) for name in names}) == 1 for names in (SERIES, LOOKS))


def _kinds(arrays: dict[str, Any]) -> dict[str, Any]:
    """Return dtype and shape of every array; only the history may be of any length."""
    return {n: (x.dtype, x.ndim if n in (*SERIES, *LOOKS) else x.shape) for n, x in arrays.items()}


def _new_tensors(path: Path, arrays: dict[str, Any]) -> Path:
    """Write the tensors under a name that no other content has, and return it."""
    unnamed = path.with_suffix(".new.safetensors")
    with whole_file(unnamed) as temporary:
        write_safetensors(arrays, temporary)
        digest = _digest(temporary)
    named = path.with_suffix(f".{digest}.safetensors")
    unnamed.replace(named)
    return named


def _remove_tensors(path: Path, *, but: Path | None = None) -> None:
    # Not only those of the last checkpoint: a run that was killed may have left some behind.
    for tensors in path.parent.glob(f"{path.stem}.*.safetensors"):
        if tensors != but:
            tensors.unlink()


def _read_tensors(path: Path, name: Any) -> dict[str, Any]:
    tensors = path.parent / str(name)
    if tensors.parent != path.parent or not tensors.exists():
        raise ValueError(f"{path} names its tensors {name!r}, which are not in the same folder")
    arrays = read_safetensors(tensors)
    if tensors.name != f"{path.stem}.{_digest(tensors)}.safetensors":
        raise ValueError(f"{tensors} has changed since it was written")
    return arrays


def _check_same(path: Path, name: str, content: dict[str, Any], mine: Any) -> None:
    if not isinstance(content[name], dict):
        raise ValueError(f"{path} is another kind of file: its {name} is {content[name]!r}")
    theirs, ours = defaults(type(mine)) | content[name], asdict(mine)
    # A rate that falls until the last step depends on when that is.
    may_differ = MAY_DIFFER - ({"steps"} if ours.get("schedule") else set())
    for key in sorted(set(theirs) | set(ours)):
        if key not in may_differ and theirs.get(key) != ours.get(key):
            raise ValueError(
                f"{path} belongs to another run: its {name} has {key} = {theirs.get(key)!r}, "
                f"but this one has {ours.get(key)!r}"
            )


def defaults(kind: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that have a default, each with its default."""
    return {each.name: each.default for each in fields(kind) if each.default is not MISSING}


def _generator(path: Path, state: Any) -> np.random.Generator:
    rng = np.random.default_rng()
    try:
        rng.bit_generator.state = state
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"{path} contains no state of a generator: {error}") from None
    return rng


def json_path(**named: str | Path) -> Path:
    """Return the one named path, or raise ValueError if it does not end in .json."""
    ((name, path),) = named.items()
    if not isinstance(path, str | Path) or Path(path).suffix != ".json":
        raise ValueError(f"{name} must end in .json, got {path!r}")
    return Path(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; the file becomes `path` only once all is on the disk."""
    temporary = path.with_name(f"{path.name}.partial")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
