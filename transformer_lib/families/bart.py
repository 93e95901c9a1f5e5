"""BART: the original encoder and decoder, with learned positions on each side and GELU.

Source: Lewis et al. (2020), section 2.1.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import (
    ONE_ROW,
    Entry,
    Table,
    after,
    dense,
    layers,
    norm,
    same,
    under,
)
from transformer_lib.model.configuration import Configuration

OFFSET = 2  # rows of the position tables that no position uses


def _attention(theirs: str, ours: str) -> Table:
    parts = norm(f"{theirs}_layer_norm", f"{ours}_norm")
    for x, name in {"Q": "q_proj", "K": "k_proj", "V": "v_proj", "O": "out_proj"}.items():
        parts |= dense(f"{theirs}.{name}", ours, x)
    return parts


FEED_FORWARD = (
    dense("fc1", "feed_forward", "1")
    | dense("fc2", "feed_forward", "2")
    | norm("final_layer_norm", "feed_forward_norm")
)
OWN = _attention("self_attn", "self_attention") | FEED_FORWARD
CROSS = _attention("encoder_attn", "cross_attention")
FIELDS = {
    "vocabulary_size": ("vocab_size", 50265),
    "d_model": ("d_model", 1024),
    "heads": ("encoder_attention_heads", 16),
    "layers": ("encoder_layers", 12),
    "d_ff": ("encoder_ffn_dim", 4096),
    "max_length": ("max_position_embeddings", 1024),
    "activation": ("activation_function", "gelu"),
    "dropout": ("dropout", 0.1),
    "scale_embedding": ("scale_embedding", False),
    "padding_id": ("pad_token_id", 1),
}
ALIASES = {
    "hidden_size": "d_model",
    "num_attention_heads": "encoder_attention_heads",
    "num_hidden_layers": "encoder_layers",
}
SIDES = ("decoder_layers", "decoder_ffn_dim", "decoder_attention_heads")
COPIES = {
    "lm_head.weight": "model.shared.weight",
    "model.encoder.embed_tokens.weight": "model.shared.weight",
    "model.decoder.embed_tokens.weight": "model.shared.weight",
}


def table(config: Configuration) -> Table:
    """Return the table of names, which Marian shares except for its positions."""
    return (
        same("model.shared.weight", "embedding.tokens")
        | layers(OWN, config.layers, "model.encoder.layers.", "encoder.")
        | layers(OWN | CROSS, config.layers, "model.decoder.layers.", "decoder.")
        | {"final_logits_bias": Entry(("head.b",), ONE_ROW)}
    )


def _positions(theirs: str, ours: str) -> Table:
    parts = norm("layernorm_embedding", "norm")
    parts |= {"embed_positions.weight": Entry(("positions",), after(OFFSET))}
    return under(parts, theirs, ours)


def _table(config: Configuration) -> Table:
    return (
        table(config)
        | _positions("model.encoder.", "source_embedding.")
        | _positions("model.decoder.", "embedding.")
    )


def alike(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    """Return whether the head has a bias.

    Raises:
        ValueError: the encoder and the decoder differ in a size, which is not supported.
    """
    for field in ("layers", "ffn_dim", "attention_heads"):
        one, other = hf_config.get(f"encoder_{field}"), hf_config.get(f"decoder_{field}")
        if one != other:
            raise ValueError(
                f"config.json gives encoder_{field} = {one} and decoder_{field} = {other}, but "
                "the two must be equal here"
            )
    return {"head_bias": "final_logits_bias" in names}


def both(config: Configuration) -> dict[str, Any]:
    """Return the keys of config.json for the decoder, with the same values as for the encoder."""
    sizes = {"layers": config.layers, "ffn_dim": config.d_ff, "attention_heads": config.heads}
    return {f"decoder_{name}": size for name, size in sizes.items()}


FAMILY = Family(
    name="bart",
    architecture="BartForConditionalGeneration",
    fixed={
        "kind": "encoder-decoder",
        "place": "post",
        "position": "learned",
        "side_positions": True,
        "embedding_norm": True,
    },
    fields=FIELDS,
    supported={
        "tie_word_embeddings": (True,),
        "normalize_before": (False,),
        "add_final_layer_norm": (False,),
        "normalize_embedding": (True,),
        "static_position_embeddings": (False,),
        "extra_pos_embeddings": (OFFSET,),
        "is_encoder_decoder": (True,),
    },
    aliases=ALIASES,
    others=SIDES,
    table=_table,
    read=alike,
    write=both,
    prefix="model.",
    copies=COPIES,
)
