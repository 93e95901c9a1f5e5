"""The library of The Worked Transformer: every formula once, for numpy and torch."""

from transformer_lib.formulas.activation import gelu, gelu_tanh, relu, silu
from transformer_lib.formulas.attention import AttentionSteps, attention, attention_steps
from transformer_lib.formulas.configuration import Configuration
from transformer_lib.formulas.embedding import embed, one_hot
from transformer_lib.formulas.feed_forward import (
    FeedForwardSteps,
    SwiGLUSteps,
    feed_forward,
    feed_forward_steps,
    key_value_memory,
    swiglu,
    swiglu_steps,
)
from transformer_lib.formulas.input_embedding import EmbeddingSteps, embedding_steps
from transformer_lib.formulas.layer import (
    LayerPast,
    LayerSteps,
    decoder_layer,
    encoder_layer,
    layer_steps,
)
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.mask import additive_mask, causal_mask, combine_masks, padding_mask
from transformer_lib.formulas.model import Cache, ForwardSteps, forward, forward_steps
from transformer_lib.formulas.multi_head import (
    MultiHeadSteps,
    merge_heads,
    multi_head_attention,
    multi_head_attention_steps,
    split_heads,
)
from transformer_lib.formulas.next_logits import cached_next_logits
from transformer_lib.formulas.normalization import (
    LayerNormSteps,
    layer_norm,
    layer_norm_steps,
    rms_norm,
)
from transformer_lib.formulas.parameters import parameter_shapes
from transformer_lib.formulas.position import (
    frequencies,
    learned_positions,
    sinusoidal,
    sinusoidal_rotation,
)
from transformer_lib.formulas.position_bias import (
    alibi_bias,
    alibi_slopes,
    relative_bias,
    relative_buckets,
)
from transformer_lib.formulas.rotary import rotary
from transformer_lib.formulas.softmax import softmax
from transformer_lib.formulas.stack import StackSteps, decoder_steps, encoder_steps
from transformer_lib.formulas.sublayer import SublayerSteps, residual, sublayer, sublayer_steps
from transformer_lib.formulas.vocabulary import Vocabulary

__all__ = [
    "AttentionSteps",
    "Cache",
    "Configuration",
    "EmbeddingSteps",
    "FeedForwardSteps",
    "ForwardSteps",
    "LayerNormSteps",
    "LayerPast",
    "LayerSteps",
    "MultiHeadSteps",
    "StackSteps",
    "SublayerSteps",
    "SwiGLUSteps",
    "Vocabulary",
    "additive_mask",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "attention_steps",
    "cached_next_logits",
    "causal_mask",
    "combine_masks",
    "decoder_layer",
    "decoder_steps",
    "embed",
    "embedding_steps",
    "encoder_layer",
    "encoder_steps",
    "feed_forward",
    "feed_forward_steps",
    "forward",
    "forward_steps",
    "frequencies",
    "gelu",
    "gelu_tanh",
    "key_value_memory",
    "layer_norm",
    "layer_norm_steps",
    "layer_steps",
    "learned_positions",
    "linear",
    "merge_heads",
    "multi_head_attention",
    "multi_head_attention_steps",
    "one_hot",
    "padding_mask",
    "parameter_shapes",
    "relative_bias",
    "relative_buckets",
    "relu",
    "residual",
    "rms_norm",
    "rotary",
    "silu",
    "sinusoidal",
    "sinusoidal_rotation",
    "softmax",
    "split_heads",
    "sublayer",
    "sublayer_steps",
    "swiglu",
    "swiglu_steps",
]
