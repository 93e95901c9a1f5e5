"""The library of The Worked Transformer: every formula once, for numpy and torch."""

from transformer_lib.formulas.attention import AttentionSteps, attention, attention_steps
from transformer_lib.formulas.cross_entropy import (
    CrossEntropySteps,
    cross_entropy,
    cross_entropy_steps,
    perplexity,
)
from transformer_lib.formulas.head import log_softmax, logits, tied_logits
from transformer_lib.formulas.mask import additive_mask, causal_mask
from transformer_lib.formulas.recurrent import LSTMSteps, lstm_steps, rnn_step
from transformer_lib.formulas.softmax import softmax

__all__ = [
    "AttentionSteps",
    "CrossEntropySteps",
    "LSTMSteps",
    "additive_mask",
    "attention",
    "attention_steps",
    "causal_mask",
    "cross_entropy",
    "cross_entropy_steps",
    "log_softmax",
    "logits",
    "lstm_steps",
    "perplexity",
    "rnn_step",
    "softmax",
    "tied_logits",
]
