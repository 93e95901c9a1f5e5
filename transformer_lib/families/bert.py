"""BERT: an encoder with token types, a norm after the embedding, and its two heads.

Source: Devlin et al. (2019), sections 3 and 3.1.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import (
    SAME,
    TRANSPOSED,
    Entry,
    Table,
    dense,
    layers,
    norm,
    same,
    scores,
    under,
)
from transformer_lib.model.configuration import Configuration

LAYER = (
    dense("attention.self.query", "self_attention", "Q")
    | dense("attention.self.key", "self_attention", "K")
    | dense("attention.self.value", "self_attention", "V")
    | dense("attention.output.dense", "self_attention", "O")
    | norm("attention.output.LayerNorm", "self_attention_norm")
    | dense("intermediate.dense", "feed_forward", "1")
    | dense("output.dense", "feed_forward", "2")
    | norm("output.LayerNorm", "feed_forward_norm")
)
EMBEDDING = (
    same("word_embeddings.weight", "tokens")
    | same("position_embeddings.weight", "positions")
    | same("token_type_embeddings.weight", "types")
    | norm("LayerNorm", "norm")
)
FIXED = {
    "kind": "encoder",
    "place": "post",
    "position": "learned",
    "scale_embedding": False,
    "embedding_norm": True,
    "head_transform": True,
    "head_bias": True,
}
FIELDS = {
    "vocabulary_size": ("vocab_size", 30522),
    "d_model": ("hidden_size", 768),
    "heads": ("num_attention_heads", 12),
    "layers": ("num_hidden_layers", 12),
    "d_ff": ("intermediate_size", 3072),
    "max_length": ("max_position_embeddings", 512),
    "token_types": ("type_vocab_size", 2),
    "activation": ("hidden_act", "gelu"),
    "dropout": ("hidden_dropout_prob", 0.1),
    "eps": ("layer_norm_eps", 1e-12),
    "padding_id": ("pad_token_id", 0),
    "tied": ("tie_word_embeddings", True),
}
SUPPORTED = {
    "position_embedding_type": ("absolute",),
    "is_decoder": (False,),
    "add_cross_attention": (False,),
}
RENAMED = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}


def _table(config: Configuration) -> Table:
    return (
        under(EMBEDDING, "bert.embeddings.", "embedding.")
        | layers(LAYER, config.layers, "bert.encoder.layer.", "encoder.")
        | dense("cls.predictions.transform.dense", "head", "dense")
        | norm("cls.predictions.transform.LayerNorm", "head.norm")
        | scores("cls.predictions", config.tied)
        | dense("bert.pooler.dense", "classifier", "pool")
        | {
            "cls.seq_relationship.weight": Entry(("classifier.W",), TRANSPOSED),
            "cls.seq_relationship.bias": Entry(("classifier.b",), SAME),
        }
    )


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    return {"classes": 2 if "cls.seq_relationship.weight" in names else 0}


def _write(config: Configuration) -> dict[str, Any]:
    return {} if config.classes else {"architectures": ["BertForMaskedLM"]}


FAMILY = Family(
    name="bert",
    architecture="BertForPreTraining",
    fixed=FIXED,
    fields=FIELDS,
    supported=SUPPORTED,
    table=_table,
    read=_read,
    write=_write,
    prefix="bert.",
    renamed=RENAMED,
    copies={
        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
    # a pooler that no head reads, and the bias of a tied head beside one that is not
    unused=(r"bert\.pooler\.", r"position_ids", r"cls\.predictions\.bias"),
)
