"""A LLaMA in a GGUF file, with the config.json and the names of its checkpoint at Hugging Face."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformer_lib.families.family import HfConfig
from transformer_lib.families.registry import FAMILIES
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.gguf import read_gguf
from transformer_lib.model.parameters import parameter_shapes

NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
KEYS = {
    "hidden_size": "embedding_length",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "num_hidden_layers": "block_count",
    "intermediate_size": "feed_forward_length",
    "max_position_embeddings": "context_length",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
}


OFF: dict[str, tuple[Any, ...]] = {
    "rope.scaling.type": ("none",),
    "rope.scaling.factor": (1.0,),
    "rope.scale_linear": (1.0,),
    "attention.causal": (True,),
    "attention.sliding_window": (0,),
    "attention.clamp_kqv": (0.0,),
    "attention.max_alibi_bias": (0.0,),
    "expert_count": (0,),
    "expert_used_count": (0,),
    "logit_scale": (0.0, 1.0),
    "embedding_scale": (0.0, 1.0),
    "residual_scale": (0.0, 1.0),
}
"""The values of further keys that change no output; llama.cpp reads a scale of 0 as none."""
CHANGE_NOTHING = r"(general|tokenizer|quantize|GGUF|split)\..*|llama\.tensor_data_layout"


def read_llama(path: str | Path) -> tuple[HfConfig, dict[str, Any]]:
    """Read a LLaMA: the keys of its config.json, and its tensors by the names of `transformers`.

    Args:
        path: a GGUF file.

    Raises:
        ValueError: the file is broken or contains another architecture; a key is missing or not a
            positive number; or a key asks for something that is not supported, or is not known.
    """
    metadata, found = read_gguf(path)
    if (kind := metadata.get("general.architecture")) != "llama":
        raise ValueError(f"{path} must have the architecture 'llama', got {kind!r}")
    keys = {ours: f"llama.{key}" for ours, key in KEYS.items()}
    if missing := sorted({*keys.values(), "tokenizer.ggml.tokens"} - metadata.keys()):
        raise ValueError(f"{path} must give {', '.join(missing)} in its metadata")
    if "rope_freqs.weight" in found:
        raise ValueError(f"{path} scales its rotary positions, which is not supported")
    hf_config: dict[str, Any] = {ours: metadata[key] for ours, key in keys.items()}
    for ours, key in keys.items():
        if type(hf_config[ours]) not in (int, float) or hf_config[ours] <= 0:
            raise ValueError(
                f"{path} must give {key} as one positive number, got {hf_config[ours]!r}"
            )
    refuse_unknown(path, metadata)
    hf_config["model_type"] = "llama"
    hf_config["vocab_size"] = len(metadata["tokenizer.ggml.tokens"])
    hf_config["rope_theta"] = metadata.get("llama.rope.freq_base", 10000.0)
    hf_config["tie_word_embeddings"] = "output.weight" not in found
    # The file holds the float32 that is next to 1e-5.
    hf_config["rms_norm_eps"] = float(f"{hf_config['rms_norm_eps']:.6g}")
    heads = {"attn_q": hf_config["num_attention_heads"], "attn_k": hf_config["num_key_value_heads"]}
    return hf_config, dict(_renamed(name, found.pop(name), heads) for name in list(found))


def refuse_unknown(path: str | Path, metadata: Mapping[str, Any]) -> None:
    """Raise ValueError for a key that is not known, or whose value would change the outputs.

    Source: the keys that `llama_model_loader` of llama.cpp reads, in the specification of GGUF.
    """
    width = metadata["llama.embedding_length"] / metadata["llama.attention.head_count"]
    same: dict[str, tuple[Any, ...]] = {
        "rope.dimension_count": (width,),
        "attention.key_length": (width,),
        "attention.value_length": (width,),
        "attention.scale": (0.0, width**-0.5),
        "vocab_size": (len(metadata["tokenizer.ggml.tokens"]),),
    }
    allowed = {f"llama.{key}": values for key, values in (OFF | same).items()}
    known = {f"llama.{key}" for key in (*KEYS.values(), "rope.freq_base")}
    for key, value in metadata.items():
        if key in known or re.fullmatch(CHANGE_NOTHING, key) or _is_off(value, allowed.get(key)):
            continue
        only = " or ".join(map(repr, allowed.get(key, ())))
        supported = f"only {only} is supported" if only else "which is not a known key of llama"
        raise ValueError(f"{path} gives {key} = {value!r}, {supported}")


def _is_off(value: Any, allowed: tuple[Any, ...] | None) -> bool:
    """Whether a value changes nothing: one that is allowed, or of another key none at all."""
    if allowed is None:
        return value is None or value is False or (isinstance(value, str | list) and not value)
    numbers = isinstance(value, int | float) and not isinstance(value, bool)
    # A file holds the float32 that is next to a scale.
    return any(value == x or (numbers and math.isclose(value, x, rel_tol=1e-6)) for x in allowed)


def load_arrays(path: str | Path) -> tuple[dict[str, Any], Configuration]:
    """Return a LLaMA as NumPy arrays by name and its configuration, for `forward` and `trace`.

    Args:
        path: a GGUF file.

    Raises:
        ValueError: as `read_llama`, or a tensor is missing, unknown or of another shape.
    """
    hf_config, tensors = read_llama(path)
    family = FAMILIES["llama"]
    config = family.of_checkpoint(hf_config, tensors)
    table, shapes = family.names(config), parameter_shapes(config)
    if table.keys() != tensors.keys():
        differ = ", ".join(sorted(table.keys() ^ tensors.keys()))
        raise ValueError(
            f"{path} must contain the tensors of a LLaMA; missing or too many: {differ}"
        )
    found: dict[str, Any] = {}
    for name, (ours, layout) in table.items():
        found |= dict(zip(ours, layout.split(tensors.pop(name), len(ours)), strict=True))
    for name, shape in shapes.items():
        if found[name].shape != shape:
            raise ValueError(
                f"{path} must contain {name} with shape {shape}, got {found[name].shape}"
            )
    return found, config


def _renamed(name: str, tensor: Any, heads: dict[str, int]) -> tuple[str, Any]:
    """Return a tensor under its name at Hugging Face, the rows of Q and K in the order there.

    llama.cpp turns neighboring rows of a head as a pair, Hugging Face one of each half.
    """
    match = re.fullmatch(r"(?:blk\.(\d+)\.)?(\w+)\.weight", name)
    if not match or match[2] not in NAMES:
        return name, tensor  # `load` says that it belongs nowhere
    layer, part = match.groups()
    if part in heads and len(tensor) % (2 * heads[part]) == 0:  # else `load` says its right shape
        pairs = tensor.reshape(heads[part], -1, 2, tensor.shape[-1])
        tensor = pairs.swapaxes(1, 2).reshape(tensor.shape)
    return (f"model.layers.{layer}." if layer else "") + NAMES[part] + ".weight", tensor
