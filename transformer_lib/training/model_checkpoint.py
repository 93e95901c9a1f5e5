"""Checkpoints of a model: its weights and configuration, written to disk and loaded again."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from transformer_lib.model.files import AnyConfiguration, read_json, read_model, weights_path
from transformer_lib.model.recurrent import RecurrentConfiguration
from transformer_lib.model.safetensors import write_safetensors
from transformer_lib.nn import RecurrentModel, Transformer
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import plain_state
from transformer_lib.text import as_tokenizer, save_tokenizer
from transformer_lib.training.checkpoint import whole_file

Model = Transformer | RecurrentModel


def model_of(config: AnyConfiguration, *, seed: Seed = 0, attention: str = "explicit") -> Model:
    """Return an untrained model of either kind; `attention` is that of a Transformer."""
    if isinstance(config, RecurrentConfiguration):
        return RecurrentModel(**asdict(config), seed=seed)
    return Transformer(config, seed=seed, attention=attention)


def save_model(
    path: str | Path,
    model: Model,
    *,
    about: Mapping[str, Any] | None = None,
    tokenizer: Any = None,
    keep: str | None = None,
) -> None:
    """Write a model as NAME.safetensors and NAME.json.

    Args:
        path: NAME.safetensors, in a folder that exists.
        model: a Transformer or a RecurrentModel.
        about: further information that JSON can hold: the command, the seed, the loss reached.
        tokenizer: the tokenizer of the model, written as NAME.tokenizer.json; or None.
        keep: "float16" writes half as many bytes but rounds the weights; None keeps them as they
            are.

    Raises:
        ValueError: path does not end in .safetensors, model or tokenizer is of another kind, an
            adapter is not merged, JSON cannot hold about, or keep is not one of these. Nothing is
            written then.
    """
    path = weights_path(path)
    if not isinstance(model, Transformer | RecurrentModel):
        raise ValueError(f"model must be a Transformer or a RecurrentModel, got {model!r}")
    if keep not in (None, "float16"):
        raise ValueError(f'keep must be "float16" or None, got {keep!r}')
    state = plain_state(model)
    computes = str(next(iter(state.values())).dtype).removeprefix("torch.")
    if keep is not None:
        state = {name: value.to(torch.float16) for name, value in state.items()}
    halves = {name for name, value in state.items() if value.dtype == torch.bfloat16}
    bits = {name: state[name].view(torch.uint16) for name in halves}
    arrays = {name: value.numpy() for name, value in (state | bits).items()}
    record: dict[str, Any] = {"configuration": asdict(model.config), "about": dict(about or {})}
    record["dtype"] = computes
    if tokenizer is not None:
        record["tokenizer"] = as_tokenizer(tokenizer).digest
    try:
        json.dumps(record, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"about must be serializable as JSON: {error}") from None
    with whole_file(path) as temporary, whole_file(path.with_suffix(".json")) as story:
        write_safetensors(arrays, temporary, bfloat16=halves)
        record["sha256"] = hashlib.sha256(temporary.read_bytes()).hexdigest()
        story.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        if tokenizer is not None:
            save_tokenizer(path.with_suffix(".tokenizer.json"), tokenizer)


def load_model(path: str | Path, *, attention: str = "explicit", tokenizer: Any = None) -> Model:
    """Return the model of a checkpoint, ready to use: in evaluation mode.

    Args:
        path: NAME.safetensors; NAME.json is in the same folder.
        attention: "explicit" or "fused", for a Transformer.
        tokenizer: the tokenizer that the ids will come from, to check that it is the model's own;
            None skips the check.

    Raises:
        FileNotFoundError: one of the two files is missing.
        ValueError: a file is cut short or of another kind, the two do not belong together, or the
            model was trained with the ids of another tokenizer.
    """
    parameters, config = read_model(path)
    record = read_json(weights_path(path).with_suffix(".json"), ())
    if tokenizer is not None:
        _same_tokenizer(weights_path(path), record.get("tokenizer"), as_tokenizer(tokenizer).digest)
    model = model_of(config, attention=attention).to(getattr(torch, record.get("dtype", "float32")))
    model.load_state_dict({name: torch.from_numpy(x) for name, x in parameters.items()})
    return model.eval()


def _same_tokenizer(path: Path, record: str | None, ours: str) -> None:
    if record == ours:
        return
    own = path.with_suffix(".tokenizer.json")
    where = f"load {own}" if own.exists() else "load the one it was trained with"
    raise ValueError(
        f"{path} was trained with the ids of tokenizer {record}, but this one is {ours}: {where}, "
        "or train the model again with this one"
    )
