"""Torch's fused attention in the place of the explicit one, for speed."""

import math

import torch
import torch.nn.functional as F

from transformer_lib.formulas.attention import AttentionSteps


def fused_attention_steps(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    mask: torch.Tensor | None = None,
    *,
    bias: torch.Tensor | None = None,
    dropout: float = 0.0,
    divisor: float | None = None,
) -> AttentionSteps:
    """Compute the output of `attention_steps` in one call of torch; the other steps are None.

    `dropout` is the share of weights set to 0.

    Source: Dao et al. (2022), whose kernel torch runs where it can.
    """
    if bias is not None:
        bias = bias.to(Q.dtype)
        mask = bias if mask is None else torch.where(mask, bias, -math.inf)
    if mask is not None:
        # A mask of three axes sends torch to its slow kernel: it gets as many axes as Q.
        mask = mask.reshape(*[1] * (Q.ndim - mask.ndim), *mask.shape)
    scale = None if divisor is None else 1 / divisor
    output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask, dropout_p=dropout, scale=scale)
    return AttentionSteps(None, None, None, None, output)
