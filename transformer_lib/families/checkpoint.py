"""A checkpoint of Hugging Face on disk: config.json, and safetensors in one or several files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformer_lib.model.files import read_json
from transformer_lib.model.safetensors import read_safetensors

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


def read_config(folder: Path) -> dict[str, Any]:
    """Return the contents of config.json.

    Raises:
        ValueError: the file is missing, is not JSON, or gives no model_type.
    """
    if not (folder / CONFIG).is_file():
        raise ValueError(f"{folder} does not contain {CONFIG}")
    return read_json(folder / CONFIG, ("model_type",))


def read_tensors(folder: Path) -> dict[str, Any]:
    """Return every tensor of a folder as a NumPy array.

    Raises:
        ValueError: the folder contains no weights, a shard is missing, or a file is cut short.
    """
    if (folder / WEIGHTS).is_file():
        return read_safetensors(folder / WEIGHTS)
    if not (folder / INDEX).is_file():
        raise ValueError(f"{folder} contains neither {WEIGHTS} nor {INDEX}")
    places: dict[str, str] = read_json(folder / INDEX, ("weight_map",))["weight_map"]
    shards = shard_names(places, folder / INDEX)
    missing = [name for name in shards if not (folder / name).is_file()]
    if missing:
        raise ValueError(f"{folder} does not contain {', '.join(missing)}, which {INDEX} names")
    whole: dict[str, Any] = {}
    for name in shards:
        whole |= read_safetensors(folder / name)
    if set(whole) != set(places):
        differ = ", ".join(sorted(set(whole) ^ set(places)))
        raise ValueError(f"{folder / INDEX} and its files do not name the same tensors: {differ}")
    return whole


def shard_names(places: Any, index: Path) -> list[str]:
    """Return the names of the files in an index, all of which must be in its folder.

    Raises:
        ValueError: the index names no files, or a name contains a path.
    """
    names: list[Any] = list(places.values()) if isinstance(places, Mapping) else [None]
    for name in names:
        if not isinstance(name, str) or Path(name).name != name:
            raise ValueError(f"{index} must give the name of a file for each tensor, got {name!r}")
    return sorted(set(names))
