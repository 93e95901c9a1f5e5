"""A model by its name on the hub of Hugging Face, downloaded once and kept."""

import json
import os
import urllib.error
import urllib.request
from pathlib import Path

from transformer_lib.families.checkpoint import CONFIG, INDEX, WEIGHTS, shard_names

HUB = "https://huggingface.co"


def download(name: str) -> Path:
    """Return the folder of the model with this name, and download the model if it is missing.

    The address of the hub is that of the variable HF_ENDPOINT, if it is set; the folder is below
    ~/.cache/transformer_lib, or below TRANSFORMER_LIB_CACHE.

    Raises:
        ValueError: no folder and no model has this name, or no network is available.
    """
    parts = name.split("/")
    if len(parts) > 2 or not all(part.strip(".") and part == Path(part).name for part in parts):
        raise ValueError(f"path_or_name must be a folder or a name on the hub, got {name!r}")
    folder = cache(*parts)
    _fetch(name, CONFIG, folder)
    try:
        _fetch(name, WEIGHTS, folder)
    except ValueError:
        index = _fetch(name, INDEX, folder)
        places = json.loads(index.read_text(encoding="utf-8")).get("weight_map")
        for shard in shard_names(places, index):
            _fetch(name, shard, folder)
    return folder


def cache(*parts: str) -> Path:
    """Return a folder for models: in TRANSFORMER_LIB_CACHE, or in ~/.cache/transformer_lib."""
    default = Path.home() / ".cache" / "transformer_lib"
    return Path(os.environ.get("TRANSFORMER_LIB_CACHE", default), *parts)


def _fetch(name: str, file: str, folder: Path) -> Path:
    """Fetch a file beside its place and then put it there, so that none is ever half there."""
    path = folder / file
    if path.exists():
        return path
    address = f"{os.environ.get('HF_ENDPOINT', HUB)}/{name}/resolve/main/{file}"
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{file}.part")
    try:
        urllib.request.urlretrieve(address, part)
    except (urllib.error.URLError, OSError) as error:
        part.unlink(missing_ok=True)
        raise ValueError(
            f"there is no folder {name!r}, and {address} cannot be fetched: {error}"
        ) from None
    part.replace(path)
    return path
