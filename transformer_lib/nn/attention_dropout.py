"""Attention that drops out some of its weights while a model trains."""

from functools import partial

import torch
import torch.nn.functional as F

from transformer_lib.formulas.attention import AttentionSteps, attention_steps
from transformer_lib.formulas.multi_head import Attend
from transformer_lib.nn.fused import fused_attention_steps


def dropping_out(share: float, *, fused: bool) -> Attend:
    """Return attention whose weights are set to 0 with a probability, and the others made larger.

    Source: Vaswani et al. (2017), the published code, "attention_dropout".
    """
    return partial(fused_attention_steps if fused else _explicit, dropout=share)


def _explicit(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    mask: torch.Tensor | None = None,
    *,
    bias: torch.Tensor | None = None,
    divisor: float | None = None,
    dropout: float,
) -> AttentionSteps:
    steps = attention_steps.formula(Q, K, V, mask, bias=bias, divisor=divisor)
    weights = F.dropout(steps.weights, dropout)
    return steps._replace(weights=weights, output=weights @ V)
