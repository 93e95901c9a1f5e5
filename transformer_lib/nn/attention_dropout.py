"""Attention that drops out some of its weights while a model trains."""

from functools import partial

import torch
import torch.nn.functional as F

from transformer_lib.formulas.attention import Attend, AttentionSteps, attention_steps


def dropping_out(share: float) -> Attend:
    """Return attention that sets each weight to 0 with probability `share` and enlarges the others.

    Source: Vaswani et al. (2017), the published code, "attention_dropout".
    """
    return partial(_explicit, dropout=share)


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
