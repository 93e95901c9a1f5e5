"""Mistral: LLaMA, in which each position attends only to a window.

Source: Jiang et al. (2023), section 2.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.llama import (
    COPIES,
    FIELDS,
    FIXED,
    ROPE,
    SUPPORTED,
    UNUSED,
    base,
    rope,
    table,
)
from transformer_lib.model.configuration import Configuration


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    return base(hf_config)


def _write(config: Configuration) -> dict[str, Any]:
    return rope(config)


FAMILY = Family(
    name="mistral",
    architecture="MistralForCausalLM",
    fixed={**FIXED, "bias": False},
    fields={
        **FIELDS,
        "window": ("sliding_window", 4096),
        "key_value_heads": ("num_key_value_heads", 8),
        "d_ff": ("intermediate_size", 14336),
        "max_length": ("max_position_embeddings", 131072),
    },
    supported={**SUPPORTED, "layer_types": (None,)},
    others=ROPE,
    table=table,
    read=_read,
    write=_write,
    prefix="model.",
    copies=COPIES,
    unused=UNUSED,
)
