"""Torch modules that hold parameters and call the formulas."""

from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.attention import MultiHeadAttention
from transformer_lib.nn.block import DecoderBlock, EncoderBlock
from transformer_lib.nn.embedding import Embedding
from transformer_lib.nn.feed_forward import FeedForward
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.head import Head
from transformer_lib.nn.initialization import initial
from transformer_lib.nn.normalization import Norm
from transformer_lib.nn.recurrent import RecurrentModel
from transformer_lib.nn.stack import Decoder, Encoder
from transformer_lib.nn.transformer import Transformer

__all__ = [
    "Configuration",
    "Decoder",
    "DecoderBlock",
    "Embedding",
    "Encoder",
    "EncoderBlock",
    "FeedForward",
    "Head",
    "MultiHeadAttention",
    "Norm",
    "RecurrentModel",
    "Transformer",
    "fused_attention_steps",
    "initial",
]
