"""The library of The Worked Transformer: every formula once, for numpy and torch."""

import transformer_lib.moved  # noqa: F401  (which finds what is of the course now)
from transformer_lib.decoding.beam import beam_search, length_penalty
from transformer_lib.decoding.draw import draw
from transformer_lib.decoding.exhaustive import exhaustive_search
from transformer_lib.decoding.filters import apply_temperature, keep_top_k, keep_top_p
from transformer_lib.decoding.greedy import greedy_search
from transformer_lib.decoding.result import (
    BeamResult as BeamResult,
    Decoded as Decoded,
    DecodingStep as DecodingStep,
    Expansion as Expansion,
    Hypothesis as Hypothesis,
)
from transformer_lib.decoding.sampling import sample
from transformer_lib.formulas.activation import gelu, gelu_tanh, relu, silu
from transformer_lib.formulas.attention import (
    AttentionSteps as AttentionSteps,
    MultiHeadSteps as MultiHeadSteps,
    attention,
    attention_steps,
    merge_heads,
    multi_head_attention,
    multi_head_attention_steps,
    split_heads,
)
from transformer_lib.formulas.block import (
    FeedForwardSteps as FeedForwardSteps,
    SublayerSteps as SublayerSteps,
    SwiGLUSteps as SwiGLUSteps,
    decoder_layer,
    encoder_layer,
    feed_forward,
    feed_forward_steps,
    residual,
    sublayer,
    sublayer_steps,
    swiglu,
    swiglu_steps,
)
from transformer_lib.formulas.cross_entropy import (
    CrossEntropySteps as CrossEntropySteps,
    cross_entropy,
    cross_entropy_steps,
    perplexity,
)
from transformer_lib.formulas.embedding import embed, one_hot
from transformer_lib.formulas.head import log_softmax, logits, pooled, tied_logits
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.mask import additive_mask, causal_mask, padding_mask
from transformer_lib.formulas.normalization import (
    LayerNormSteps as LayerNormSteps,
    layer_norm,
    layer_norm_steps,
    rms_norm,
)
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
from transformer_lib.formulas.recurrent import LSTMSteps as LSTMSteps, lstm_step, rnn_step
from transformer_lib.formulas.rotary import rotary
from transformer_lib.formulas.softmax import softmax
from transformer_lib.formulas.stack import decoder_stack, encoder_stack
from transformer_lib.model.cache import Cache
from transformer_lib.model.changes import changing, skipping
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.embedding import EmbeddingSteps as EmbeddingSteps, embedding_steps
from transformer_lib.model.files import read_model
from transformer_lib.model.forward import classify, forward, trace
from transformer_lib.model.initialization import initial_parameters
from transformer_lib.model.inside import direct, lens, patched
from transformer_lib.model.layer import layer
from transformer_lib.model.next_logits import cached_next_logits
from transformer_lib.model.parameters import parameter_shapes
from transformer_lib.model.recurrent import (
    RecurrentConfiguration,
    RecurrentSteps as RecurrentSteps,
    recurrent_forward,
    recurrent_shapes,
    recurrent_steps,
)
from transformer_lib.model.safetensors import read_safetensors, write_safetensors
from transformer_lib.model.stack import decoder, encoder
from transformer_lib.model.vocabulary import Vocabulary

__version__ = "1.0.0"

__all__ = [
    "Cache",
    "Configuration",
    "RecurrentConfiguration",
    "Vocabulary",
    "additive_mask",
    "alibi_bias",
    "alibi_slopes",
    "apply_temperature",
    "attention",
    "attention_steps",
    "beam_search",
    "cached_next_logits",
    "causal_mask",
    "changing",
    "classify",
    "cross_entropy",
    "cross_entropy_steps",
    "decoder",
    "decoder_layer",
    "decoder_stack",
    "direct",
    "draw",
    "embed",
    "embedding_steps",
    "encoder",
    "encoder_layer",
    "encoder_stack",
    "exhaustive_search",
    "feed_forward",
    "feed_forward_steps",
    "forward",
    "frequencies",
    "gelu",
    "gelu_tanh",
    "greedy_search",
    "initial_parameters",
    "keep_top_k",
    "keep_top_p",
    "layer",
    "layer_norm",
    "layer_norm_steps",
    "learned_positions",
    "length_penalty",
    "lens",
    "linear",
    "log_softmax",
    "logits",
    "lstm_step",
    "merge_heads",
    "multi_head_attention",
    "multi_head_attention_steps",
    "one_hot",
    "padding_mask",
    "parameter_shapes",
    "patched",
    "perplexity",
    "pooled",
    "read_model",
    "read_safetensors",
    "recurrent_forward",
    "recurrent_shapes",
    "recurrent_steps",
    "relative_bias",
    "relative_buckets",
    "relu",
    "residual",
    "rms_norm",
    "rnn_step",
    "rotary",
    "sample",
    "silu",
    "sinusoidal",
    "sinusoidal_rotation",
    "skipping",
    "softmax",
    "split_heads",
    "sublayer",
    "sublayer_steps",
    "swiglu",
    "swiglu_steps",
    "tied_logits",
    "trace",
    "write_safetensors",
]
