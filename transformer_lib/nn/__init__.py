"""Torch modules that contain parameters and call the formulas."""

try:
    import torch  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "transformer_lib.nn needs torch, which is not installed: pip install torch"
    ) from error

from transformer_lib.formulas.checks import know_torch
from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.block import (
    Decoder,
    DecoderBlock,
    Encoder,
    EncoderBlock,
    FeedForward,
    MultiHeadAttention,
    Norm,
)
from transformer_lib.nn.changed import changed
from transformer_lib.nn.embedding import Classifier, Embedding, Head
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.generate import generate
from transformer_lib.nn.initialization import initial
from transformer_lib.nn.inside import direct, lens, patched
from transformer_lib.nn.lines import Generated
from transformer_lib.nn.recurrent import RecurrentModel
from transformer_lib.nn.transformer import Transformer

know_torch()

__all__ = [
    "Classifier",
    "Configuration",
    "Decoder",
    "DecoderBlock",
    "Embedding",
    "Encoder",
    "EncoderBlock",
    "FeedForward",
    "Generated",
    "Head",
    "MultiHeadAttention",
    "Norm",
    "RecurrentModel",
    "Transformer",
    "changed",
    "direct",
    "fused_attention_steps",
    "generate",
    "initial",
    "lens",
    "patched",
]
