"""Stored models: NAME.safetensors, and NAME.json with its configuration and a description."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import parameter_shapes, take
from transformer_lib.model.recurrent import (
    BLOCKS,
    RecurrentConfiguration,
    recurrent_shapes,
)
from transformer_lib.model.safetensors import read_safetensors

AnyConfiguration = Configuration | RecurrentConfiguration


def read_model(path: str | Path) -> tuple[dict[str, Any], AnyConfiguration]:
    """Read a stored model as numpy arrays by name and its configuration, without torch.

    `forward(parameters, configuration, ids)` then runs the model, or `recurrent_forward` if its
    kind is "rnn" or "lstm".

    Args:
        path: NAME.safetensors; NAME.json must be in the same folder.

    Raises:
        FileNotFoundError: one of the two files is missing.
        ValueError: a file is truncated or of another kind, or the two files do not belong together.

    Source: Hugging Face models are split into weights and config.json in this way.
    """
    path = weights_path(path)
    content = read_json(path.with_suffix(".json"), ("configuration", "sha256", "about"))
    config = configuration_of(content["configuration"], path.with_suffix(".json"))
    parameters = read_safetensors(path)
    if hashlib.sha256(path.read_bytes()).hexdigest() != content["sha256"]:
        raise ValueError(f"{path} is not the file that {path.stem}.json was written with")
    shapes = shapes_of(config)
    take(parameters, shapes, "")
    if set(parameters) != set(shapes):
        raise ValueError(f"{path} contains unknown names: {sorted(set(parameters) - set(shapes))}")
    return _as_computed(parameters, content.get("dtype")), config


def _as_computed(parameters: dict[str, Any], dtype: Any) -> dict[str, Any]:
    """Return weights that were kept in float16 to save space as the model computes with them."""
    if dtype not in ("float32", "float64"):
        return parameters
    return {name: value.astype(dtype, copy=False) for name, value in parameters.items()}


def weights_path(path: str | Path) -> Path:
    """Return path, or raise ValueError if it does not end in .safetensors."""
    if not isinstance(path, str | Path) or Path(path).suffix != ".safetensors":
        raise ValueError(f"path must end in .safetensors, got {path!r}")
    return Path(path)


def read_json(path: Path, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON object in a file; raise ValueError if it is not one or a key is missing."""
    try:
        content = json.loads(path.read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"{path} is not complete: it is not JSON") from None
    if not isinstance(content, dict) or not set(keys) <= set(content):
        raise ValueError(f"{path} is another kind of file: it needs {', '.join(keys)}")
    return content


def configuration_of(fields: Any, path: Path) -> AnyConfiguration:
    """Return the configuration with these fields, as read from `path`."""
    if not isinstance(fields, Mapping):
        raise ValueError(f"{path} must give the configuration by name, got {fields!r}")
    kind = RecurrentConfiguration if fields.get("kind") in tuple(BLOCKS) else Configuration
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} contains no configuration of a model: {error}") from None


def shapes_of(config: AnyConfiguration) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every parameter of a model of either kind."""
    if isinstance(config, RecurrentConfiguration):
        return recurrent_shapes(config)
    return parameter_shapes(config)
