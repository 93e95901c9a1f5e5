"""BLOOM: a decoder with ALiBi and a norm after the embedding.

Source: Le Scao et al. (2022), section 3.2.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import Table, by_head, dense, head, layers, norm, same
from transformer_lib.model.configuration import Configuration


def _table(config: Configuration) -> Table:
    layer = (
        norm("input_layernorm", "self_attention_norm")
        | dense("self_attention.query_key_value", "self_attention", "Q K V", by_head(config.heads))
        | dense("self_attention.dense", "self_attention", "O")
        | norm("post_attention_layernorm", "feed_forward_norm")
        | dense("mlp.dense_h_to_4h", "feed_forward", "1")
        | dense("mlp.dense_4h_to_h", "feed_forward", "2")
    )
    return (
        same("transformer.word_embeddings.weight", "embedding.tokens")
        | norm("transformer.word_embeddings_layernorm", "embedding.norm")
        | layers(layer, config.layers, "transformer.h.", "decoder.")
        | norm("transformer.ln_f", "decoder.norm")
        | head("lm_head")
    )


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    return {"d_ff": 4 * hf_config.get("hidden_size", 64)}


FAMILY = Family(
    name="bloom",
    architecture="BloomForCausalLM",
    fixed={
        "kind": "decoder",
        "place": "pre",
        "position": "alibi",
        "activation": "gelu_tanh",
        "embedding_norm": True,
        "scale_embedding": False,
        "head_bias": False,
    },
    fields={
        "vocabulary_size": ("vocab_size", 250880),
        "d_model": ("hidden_size", 64),
        "heads": ("n_head", 8),
        "layers": ("n_layer", 2),
        "dropout": ("hidden_dropout", 0.0),
        "eps": ("layer_norm_epsilon", 1e-5),
        "tied": ("tie_word_embeddings", True),
    },
    supported={"apply_residual_connection_post_layernorm": (False,)},
    aliases={
        "n_embed": "hidden_size",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    },
    table=_table,
    read=_read,
    prefix="transformer.",
    copies={"lm_head.weight": "transformer.word_embeddings.weight"},
)
