"""The first GPT: a decoder with norms after the sums and learned positions.

Source: Radford et al. (2018), section 4.1.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import (
    SAME,
    SIDE_BY_SIDE,
    Table,
    dense,
    head,
    layers,
    norm,
    same,
)
from transformer_lib.model.configuration import Configuration

LAYER = (
    dense("attn.c_attn", "self_attention", "Q K V", SIDE_BY_SIDE)
    | dense("attn.c_proj", "self_attention", "O", SAME)
    | norm("ln_1", "self_attention_norm")
    | dense("mlp.c_fc", "feed_forward", "1", SAME)
    | dense("mlp.c_proj", "feed_forward", "2", SAME)
    | norm("ln_2", "feed_forward_norm")
)


def _table(config: Configuration) -> Table:
    return (
        same("transformer.tokens_embed.weight", "embedding.tokens")
        | same("transformer.positions_embed.weight", "embedding.positions")
        | layers(LAYER, config.layers, "transformer.h.", "decoder.")
        | head("lm_head")
    )


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    # What is called gelu in its files is the tanh form.
    name = hf_config.get("afn", "gelu")
    return {
        "d_ff": 4 * hf_config.get("n_embd", 768),
        "activation": "gelu_new" if name == "gelu" else name,
    }


def _write(config: Configuration) -> dict[str, Any]:
    return {"afn": "gelu" if config.activation == "gelu_tanh" else config.activation}


FAMILY = Family(
    name="openai-gpt",
    architecture="OpenAIGPTLMHeadModel",
    fixed={
        "kind": "decoder",
        "place": "post",
        "position": "learned",
        "scale_embedding": False,
        "head_bias": False,
    },
    fields={
        "vocabulary_size": ("vocab_size", 40478),
        "d_model": ("n_embd", 768),
        "heads": ("n_head", 12),
        "layers": ("n_layer", 12),
        "max_length": ("n_positions", 512),
        "activation": ("afn", "gelu"),
        "dropout": ("resid_pdrop", 0.1),
        "eps": ("layer_norm_epsilon", 1e-5),
        "tied": ("tie_word_embeddings", True),
    },
    aliases={
        "hidden_size": "n_embd",
        "max_position_embeddings": "n_positions",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    },
    table=_table,
    read=_read,
    write=_write,
    prefix="transformer.",
    copies={"lm_head.weight": "transformer.tokens_embed.weight"},
    unused=(r"\.attn\.bias", r"position_ids"),
)
