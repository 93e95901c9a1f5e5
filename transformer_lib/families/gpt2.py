"""GPT-2: a decoder with norms first, learned positions and the tanh form of GELU.

Source: Radford et al. (2019), section 2.3.
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
    norm("ln_1", "self_attention_norm")
    | dense("attn.c_attn", "self_attention", "Q K V", SIDE_BY_SIDE)
    | dense("attn.c_proj", "self_attention", "O", SAME)
    | norm("ln_2", "feed_forward_norm")
    | dense("mlp.c_fc", "feed_forward", "1", SAME)
    | dense("mlp.c_proj", "feed_forward", "2", SAME)
)


def _table(config: Configuration) -> Table:
    return (
        same("transformer.wte.weight", "embedding.tokens")
        | same("transformer.wpe.weight", "embedding.positions")
        | layers(LAYER, config.layers, "transformer.h.", "decoder.")
        | norm("transformer.ln_f", "decoder.norm")
        | head("lm_head")
    )


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    return {"d_ff": hf_config.get("n_inner") or 4 * hf_config.get("n_embd", 768)}


FAMILY = Family(
    name="gpt2",
    architecture="GPT2LMHeadModel",
    fixed={
        "kind": "decoder",
        "place": "pre",
        "position": "learned",
        "scale_embedding": False,
        "head_bias": False,
    },
    fields={
        "vocabulary_size": ("vocab_size", 50257),
        "d_model": ("n_embd", 768),
        "heads": ("n_head", 12),
        "layers": ("n_layer", 12),
        "d_ff": ("n_inner", None),
        "max_length": ("n_positions", 1024),
        "activation": ("activation_function", "gelu_new"),
        "dropout": ("resid_pdrop", 0.1),
        "eps": ("layer_norm_epsilon", 1e-5),
        "scale_scores": ("scale_attn_weights", True),
        "tied": ("tie_word_embeddings", True),
    },
    supported={"scale_attn_by_inverse_layer_idx": (False,), "add_cross_attention": (False,)},
    aliases={
        "hidden_size": "n_embd",
        "max_position_embeddings": "n_positions",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    },
    table=_table,
    read=_read,
    prefix="transformer.",
    copies={"lm_head.weight": "transformer.wte.weight"},
    unused=(r"\.attn\.(masked_)?bias",),
)
