"""Marian, which the opus-mt translators are: the original model, with sines and cosines in halves.

Source: Junczys-Dowmunt et al. (2018), section 3; Tiedemann and Thottingal (2020), section 3.
"""

from transformer_lib.families.bart import COPIES, FIELDS, alike, both, table
from transformer_lib.families.family import Family

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
    lacks={
        "tie_word_embeddings": (True,),
        "share_encoder_decoder_embeddings": (True,),
        "normalize_before": (False,),
        "add_final_layer_norm": (False,),
        "normalize_embedding": (False,),
    },
    table=table,
    read=alike,
    write=both,
    prefix="model.",
    copies=COPIES,
    unused=(r"embed_positions\.weight",),  # sines and cosines, kept as a table
)
