"""The library of The Worked Transformer: every formula once, for numpy and torch."""

from transformer_lib.formulas.attention import AttentionSteps, attention, attention_steps
from transformer_lib.formulas.mask import additive_mask, causal_mask
from transformer_lib.formulas.softmax import softmax

__all__ = [
    "AttentionSteps",
    "additive_mask",
    "attention",
    "attention_steps",
    "causal_mask",
    "softmax",
]
