"""The library of The Worked Transformer: every formula once, for numpy and torch."""

from transformer_lib.formulas.attention import AttentionSteps, attention, attention_steps
from transformer_lib.formulas.cross_entropy import (
    CrossEntropySteps,
    cross_entropy,
    cross_entropy_steps,
    perplexity,
)
from transformer_lib.formulas.decoding.beam import beam_search, length_penalty
from transformer_lib.formulas.decoding.draw import draw
from transformer_lib.formulas.decoding.exhaustive import exhaustive_search
from transformer_lib.formulas.decoding.filters import apply_temperature, keep_top_k, keep_top_p
from transformer_lib.formulas.decoding.greedy import greedy_search
from transformer_lib.formulas.decoding.result import (
    BeamResult,
    Decoded,
    DecodingStep,
    Expansion,
    Hypothesis,
)
from transformer_lib.formulas.decoding.sampling import sample
from transformer_lib.formulas.head import log_softmax, logits, tied_logits
from transformer_lib.formulas.mask import additive_mask, causal_mask
from transformer_lib.formulas.recurrent import LSTMSteps, lstm_steps, rnn_step
from transformer_lib.formulas.softmax import softmax

__all__ = [
    "AttentionSteps",
    "BeamResult",
    "CrossEntropySteps",
    "Decoded",
    "DecodingStep",
    "Expansion",
    "Hypothesis",
    "LSTMSteps",
    "additive_mask",
    "apply_temperature",
    "attention",
    "attention_steps",
    "beam_search",
    "causal_mask",
    "cross_entropy",
    "cross_entropy_steps",
    "draw",
    "exhaustive_search",
    "greedy_search",
    "keep_top_k",
    "keep_top_p",
    "length_penalty",
    "log_softmax",
    "logits",
    "lstm_steps",
    "perplexity",
    "rnn_step",
    "sample",
    "softmax",
    "tied_logits",
]
