"""DistilBERT: BERT with half the layers, without token types and next-sentence prediction.

Source: Sanh et al. (2019), section 3.
"""

from transformer_lib.families.bert import EMBEDDING, FIXED
from transformer_lib.families.family import Family
from transformer_lib.families.table import Table, dense, head, layers, norm, under
from transformer_lib.model.configuration import Configuration

LAYER = (
    dense("attention.q_lin", "self_attention", "Q")
    | dense("attention.k_lin", "self_attention", "K")
    | dense("attention.v_lin", "self_attention", "V")
    | dense("attention.out_lin", "self_attention", "O")
    | norm("sa_layer_norm", "self_attention_norm")
    | dense("ffn.lin1", "feed_forward", "1")
    | dense("ffn.lin2", "feed_forward", "2")
    | norm("output_layer_norm", "feed_forward_norm")
)


def _table(config: Configuration) -> Table:
    return (
        under(EMBEDDING, "distilbert.embeddings.", "embedding.")
        | layers(LAYER, config.layers, "distilbert.transformer.layer.", "encoder.")
        | dense("vocab_transform", "head", "dense")
        | norm("vocab_layer_norm", "head.norm")
        | head("vocab_projector")
    )


FAMILY = Family(
    name="distilbert",
    architecture="DistilBertForMaskedLM",
    fixed={**FIXED, "eps": 1e-12},
    fields={
        "vocabulary_size": ("vocab_size", 30522),
        "d_model": ("dim", 768),
        "heads": ("n_heads", 12),
        "layers": ("n_layers", 6),
        "d_ff": ("hidden_dim", 3072),
        "max_length": ("max_position_embeddings", 512),
        "activation": ("activation", "gelu"),
        "dropout": ("dropout", 0.1),
        "padding_id": ("pad_token_id", 0),
        "tied": ("tie_word_embeddings", True),
    },
    aliases={
        "hidden_size": "dim",
        "num_attention_heads": "n_heads",
        "num_hidden_layers": "n_layers",
    },
    others=("sinusoidal_pos_embds",),  # how the table of positions began
    table=_table,
    prefix="distilbert.",
    copies={"vocab_projector.weight": "distilbert.embeddings.word_embeddings.weight"},
    unused=(r"position_ids",),
)
