"""Marian, the model of the opus-mt translators: the original, with sines and cosines in halves.

Source: Junczys-Dowmunt et al. (2018), section 3; Tiedemann and Thottingal (2020), section 3.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.bart import ALIASES, COPIES, FIELDS, SIDES, alike, both, table
from transformer_lib.families.family import Family, HfConfig


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    size = hf_config.get("vocab_size", 58101)
    if hf_config.get("decoder_vocab_size") not in (None, size):
        raise ValueError(
            f"config.json asks for decoder_vocab_size = {hf_config['decoder_vocab_size']}, which "
            f"must be vocab_size = {size} here"
        )
    return alike(hf_config, names)


FAMILY = Family(
    name="marian",
    architecture="MarianMTModel",
    fixed={
        "kind": "encoder-decoder",
        "place": "post",
        "position": "sinusoidal",
        "halves": True,
    },
    fields={
        **FIELDS,
        "vocabulary_size": ("vocab_size", 58101),
        "padding_id": ("pad_token_id", 58100),
    },
    supported={
        "tie_word_embeddings": (True,),
        "share_encoder_decoder_embeddings": (True,),
        "normalize_before": (False,),
        "add_final_layer_norm": (False,),
        "normalize_embedding": (False,),
        "is_encoder_decoder": (True,),
    },
    aliases=ALIASES,
    # Its sines and cosines are computed, whatever tells how a table of them was laid out.
    others=(*SIDES, "decoder_vocab_size", "static_position_embeddings", "extra_pos_embeddings"),
    table=table,
    read=_read,
    write=both,
    prefix="model.",
    copies=COPIES,
    unused=(r"embed_positions\.weight",),  # sines and cosines, kept as a table
)
