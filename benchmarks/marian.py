"""Marian, the encoder-decoder of transformers, in the sizes of `training.CONFIG`."""

from typing import Any

import torch
from torch.nn import functional as F

from benchmarks.training import CONFIG
from transformer_lib.training import Batch

NAME = "Marian of transformers"


def model() -> Any:
    """Return the model, its attention fused, as transformers makes it unless told otherwise."""
    import transformers

    both = {
        "layers": CONFIG.layers,
        "attention_heads": CONFIG.heads,
        "ffn_dim": CONFIG.d_ff,
    }
    sizes = {f"{half}_{n}": size for half in ("encoder", "decoder") for n, size in both.items()}
    given = transformers.MarianConfig(
        **sizes,
        vocab_size=CONFIG.vocabulary_size,
        d_model=CONFIG.d_model,
        activation_function="relu",
        scale_embedding=True,
        max_position_embeddings=512,
        pad_token_id=CONFIG.padding_id,
        decoder_start_token_id=CONFIG.padding_id,
        **dict.fromkeys(("eos_token_id", "forced_eos_token_id"), None),
        **dict.fromkeys(("dropout", "attention_dropout", "activation_dropout"), 0.0),
    )
    return transformers.MarianMTModel(given)


def loss(marian: Any, batch: Batch) -> torch.Tensor:
    """Return the mean loss over the real tokens."""
    assert batch.source is not None
    logits = marian(
        input_ids=batch.source,
        attention_mask=batch.source != CONFIG.padding_id,
        decoder_input_ids=batch.ids,
        decoder_attention_mask=batch.ids != CONFIG.padding_id,
        use_cache=False,
    ).logits
    return F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
