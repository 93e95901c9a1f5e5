"""Trained models written to be kept, and made into modules again."""

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
from transformer_lib.training.files import whole_file

Model = Transformer | RecurrentModel


def model_of(config: AnyConfiguration, *, seed: Seed = 0, attention: str = "explicit") -> Model:
    """Return an untrained model of either kind; `attention` is that of a Transformer."""
    if isinstance(config, RecurrentConfiguration):
        return RecurrentModel(**asdict(config), seed=seed)
    return Transformer(config, seed=seed, attention=attention)


def save_model(path: str | Path, model: Model, *, about: Mapping[str, Any] | None = None) -> None:
    """Write a model as NAME.safetensors and NAME.json.

    Args:
        path: NAME.safetensors, in a folder that exists.
        model: a Transformer or a RecurrentModel.
        about: what is worth knowing, fit for JSON: the command, the seed, the loss reached.

    Raises:
        ValueError: path does not end in .safetensors, model is another kind of module, or about is
            not fit for JSON. Nothing is written then.
    """
    path = weights_path(path)
    if not isinstance(model, Transformer | RecurrentModel):
        raise ValueError(f"model must be a Transformer or a RecurrentModel, got {model!r}")
    state = {name: value.cpu() for name, value in model.state_dict().items()}
    halves = {name for name, value in state.items() if value.dtype == torch.bfloat16}
    bits = {name: state[name].view(torch.uint16) for name in halves}
    arrays = {name: value.numpy() for name, value in (state | bits).items()}
    told: dict[str, Any] = {"configuration": asdict(model.config), "about": dict(about or {})}
    told["dtype"] = str(next(iter(state.values())).dtype).removeprefix("torch.")
    try:
        json.dumps(told, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"about must be fit for JSON: {error}") from None
    with whole_file(path) as temporary, whole_file(path.with_suffix(".json")) as story:
        write_safetensors(arrays, temporary, bfloat16=halves)
        told["sha256"] = hashlib.sha256(temporary.read_bytes()).hexdigest()
        story.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def load_model(path: str | Path, *, attention: str = "explicit") -> Model:
    """Return a kept model, ready to use: in evaluation mode.

    Args:
        path: NAME.safetensors; NAME.json is beside it.
        attention: of a Transformer, "explicit" or "fused".

    Raises:
        FileNotFoundError: one of the two files is missing.
        ValueError: a file is cut short or of another kind, or the two do not belong together.
    """
    parameters, config = read_model(path)
    told = read_json(weights_path(path).with_suffix(".json"), ())
    model = model_of(config, attention=attention).to(getattr(torch, told.get("dtype", "float32")))
    model.load_state_dict({name: torch.from_numpy(x) for name, x in parameters.items()})
    return model.eval()
