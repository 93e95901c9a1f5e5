"""RoBERTa: BERT without next-sentence prediction, and with positions that skip padding.

Source: Liu et al. (2019), sections 3 and 4.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.bert import EMBEDDING, FIELDS, FIXED, LAYER, RENAMED, SUPPORTED
from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import Table, after, dense, layers, norm, scores, under
from transformer_lib.model.configuration import Configuration


def _table(config: Configuration) -> Table:
    table = (
        under(EMBEDDING, "roberta.embeddings.", "embedding.")
        | layers(LAYER, config.layers, "roberta.encoder.layer.", "encoder.")
        | dense("lm_head.dense", "head", "dense")
        | norm("lm_head.layer_norm", "head.norm")
        | scores("lm_head", config.tied)
    )
    # Padding has the position of its own id, and tokens count from the next one.
    places = "roberta.embeddings.position_embeddings.weight"
    return table | {places: table[places]._replace(layout=after(_first(config.padding_id)))}


def _first(padding_id: int | None) -> int:
    return 0 if padding_id is None else padding_id + 1


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    rows = hf_config.get("max_position_embeddings", 512)
    return {"max_length": rows - _first(hf_config.get("pad_token_id", 1))}


def _write(config: Configuration) -> dict[str, Any]:
    return {"max_position_embeddings": config.max_length + _first(config.padding_id)}


FAMILY = Family(
    name="roberta",
    architecture="RobertaForMaskedLM",
    fixed={**FIXED, "skip_padding": True, "head_activation": "gelu"},  # whatever the layers have
    fields={
        **FIELDS,
        "vocabulary_size": ("vocab_size", 50265),
        "padding_id": ("pad_token_id", 1),
    },
    supported=SUPPORTED,
    table=_table,
    read=_read,
    write=_write,
    prefix="roberta.",
    renamed=RENAMED,
    copies={
        "lm_head.decoder.weight": "roberta.embeddings.word_embeddings.weight",
        "lm_head.decoder.bias": "lm_head.bias",
    },
    unused=(r"roberta\.pooler\.", r"position_ids", r"lm_head\.bias"),
)
