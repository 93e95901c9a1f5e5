"""Load a published model into ours, and save ours as one that `transformers` loads."""

import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.families.checkpoint import CONFIG, WEIGHTS, read_config, read_tensors
from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.gguf import read_llama
from transformer_lib.families.hub import download
from transformer_lib.families.registry import FAMILIES
from transformer_lib.families.table import Table, shapes
from transformer_lib.model.parameters import parameter_shapes
from transformer_lib.model.safetensors import write_safetensors
from transformer_lib.nn import Transformer
from transformer_lib.nn.parametrized import plain_state

OTHER_HEADS = re.compile(r"(pre_)?classifier\.|score\.|classification_head\.|qa_outputs\.")
"""Names of the heads that `transformers` puts on any family, and that ours has no place for."""


def load(
    path_or_name: str | Path, *, dtype: torch.dtype | None = None, attention: str = "explicit"
) -> Transformer:
    """Return a published model, ready to use: in evaluation mode.

    If the files contain no head, as those of most encoders, the model has none either, and `hidden`
    gives its last hidden vectors. A pooler that no head reads is left out. A head that classifies
    whole sequences or marks spans in them is also left out, and a warning names it.

    Args:
        path_or_name: a folder with config.json and model.safetensors, in one file or in shards; a
            GGUF file of a LLaMA; or a name such as "openai-community/gpt2", which is downloaded if
            a network is available.
        dtype: the dtype of the parameters; unless given, that of the files, or float32 for
            bfloat16.
        attention: "explicit" or "fused".

    Raises:
        ValueError: the folder or name does not exist; a file is missing or cut short; config.json
            gives an unknown family or key, asks for an unsupported feature or gives no number of
            heads; or a tensor is missing, unknown or of another shape. The message names all such
            tensors.
    """
    hf_config, tensors = read(path_or_name)
    family = family_of(hf_config["model_type"])
    tensors = without_other_heads(named(family, tensors))
    config = family.of_checkpoint(hf_config, tensors)
    table = family.names(config)
    check(family, table, shapes(table, parameter_shapes(config)), tensors)
    found = {name: torch.from_numpy(np.ascontiguousarray(x)) for name, x in tensors.items()}
    dtype = dtype or found[next(iter(table))].dtype
    state: dict[str, torch.Tensor] = {}
    for name, entry in table.items():
        parts = entry.layout.split(found[name], len(entry.ours))
        state |= {x: y.to(dtype).contiguous() for x, y in zip(entry.ours, parts, strict=True)}
    model = Transformer(config, attention=attention, device="meta")
    model.load_state_dict(state, assign=True)
    return model.eval()


def read(path_or_name: str | Path) -> tuple[HfConfig, dict[str, Any]]:
    """Return the contents of config.json, and the tensors by their names in the files.

    Raises:
        ValueError: the folder, file or name does not exist, or a file is missing or broken.
    """
    folder = Path(path_or_name)
    if folder.suffix == ".gguf" and folder.is_file():
        return read_llama(folder)
    if not folder.is_dir():
        folder = download(str(path_or_name))
    return read_config(folder), read_tensors(folder)


def save(model: Transformer, folder: str | Path, family: str) -> None:
    """Write a model as a folder that `transformers` loads.

    The dropout probability is not saved if the family has no key for it.

    Args:
        model: a Transformer whose configuration is possible in this family.
        folder: a new or empty folder.
        family: the name of the family, a key of `FAMILIES`.

    Raises:
        ValueError: the family is unknown or cannot have this configuration, the model has an
            adapter or a missing part, or the folder is not empty. Nothing is written then.
    """
    folder, kind = Path(folder), family_of(family)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"folder must be new or empty, got {folder}")
    table = kind.names(model.config)
    hf_config = kind.hf_config(model.config)
    _check_config(kind, hf_config, table, model)
    state = plain_state(model)
    missing = parameter_shapes(model.config).keys() - state.keys()
    if missing:
        listed = ", ".join(sorted(missing))
        raise ValueError(f"model must have {listed}, because its configuration requires this")
    joined = {
        n: entry.layout.join(tuple(state[x] for x in entry.ours)) for n, entry in table.items()
    }
    halves = {name for name, x in joined.items() if x.dtype == torch.bfloat16}
    arrays = {
        name: (x.contiguous().view(torch.uint16) if name in halves else x.contiguous()).numpy()
        for name, x in joined.items()
    }
    hf_config["dtype"] = str(next(iter(state.values())).dtype).removeprefix("torch.")
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(arrays, folder / WEIGHTS, bfloat16=halves)
    (folder / CONFIG).write_text(json.dumps(hf_config, indent=2) + "\n", encoding="utf-8")


def family_of(name: Any) -> Family:
    """Return the family with this name, or raise a ValueError that names the known ones."""
    if name not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, got {name!r}")
    found: Family = FAMILIES[name]
    return found


def named(family: Family, tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Return tensors under the current names of a whole model: prefixes added, endings renamed."""
    bare = not any(name.startswith(family.prefix) for name in tensors)
    found = {}
    for name, array in tensors.items():
        for old, new in family.renamed.items():
            name = name.removesuffix(old) + new if name.endswith(old) else name
        found[family.prefix + name if bare else name] = array
    return found


def without_other_heads(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Return tensors without any head that is not supported, after a warning that names it."""
    heads = {name: tuple(x.shape) for name, x in tensors.items() if OTHER_HEADS.match(name)}
    if heads:
        listed = ", ".join(f"{name} {shape}" for name, shape in heads.items())
        warnings.warn(f"this head is left out, its logits are not computed: {listed}", stacklevel=3)
    return {name: x for name, x in tensors.items() if name not in heads}


def check(
    family: Family,
    table: Table,
    expected: Mapping[str, tuple[int, ...]],
    tensors: Mapping[str, Any],
) -> None:
    """Raise a ValueError that names each tensor that is missing, unknown or of a wrong shape."""
    wrong = [f"missing {name} {shape}" for name, shape in expected.items() if name not in tensors]
    for name, array in tensors.items():
        if name in table:
            if tuple(array.shape) != expected[name]:
                wrong.append(f"{name} must be {expected[name]}, got {tuple(array.shape)}")
        elif name in family.copies:
            if not np.array_equal(array, tensors.get(family.copies[name], np.empty(0))):
                wrong.append(f"{name} must equal {family.copies[name]}, to which it is tied")
        elif not any(re.search(pattern, name) for pattern in family.unused):
            wrong.append(f"unknown {name} {tuple(array.shape)}")
    if wrong:
        raise ValueError(f"the checkpoint is not a complete {family.name}: {'; '.join(wrong)}")


def _check_config(
    kind: Family, hf_config: dict[str, Any], table: Table, model: Transformer
) -> None:
    """Raise ValueError unless the configuration comes back from what config.json would tell."""
    again = kind.of_checkpoint(hf_config, table)
    unsaid = {"dropout", "max_length"} - kind.fields.keys()  # no number of theirs depends on it
    for name, value in vars(model.config).items():
        if name in unsaid:
            continue
        read = getattr(again, name)
        if read not in (value, _meant(model, name)):
            raise ValueError(f"{kind.name} cannot have {name} = {value!r}: it would be {read!r}")


def _meant(model: Transformer, name: str) -> Any:
    """Return what a field that is None stands for."""
    config = model.config
    meant = {
        "head_width": config.d_k,
        "key_value_heads": config.h_kv,
        "head_bias": config.has_head_bias,
        "head_activation": config.head_activation or config.activation,
    }
    return meant.get(name, getattr(config, name))
