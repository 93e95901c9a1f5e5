"""Attention beside torch's fused one and a textbook one."""

import math
from collections.abc import Callable

import torch
from torch.nn import functional as F

import transformer_lib as tl
from transformer_lib.nn import fused_attention_steps

Body = Callable[..., torch.Tensor]

# name: batch, heads, queries, keys, whether masked
CASES = {
    "one token, 1024 cached": (1, 12, 1, 1024, False),
    "batch 8 of 128 tokens": (8, 12, 128, 128, True),
}
D_K = 64


def textbook(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: torch.Tensor | None
) -> torch.Tensor:
    """Write the formula out in torch, with no checks and no care for empty rows."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1) @ V


BODIES: dict[str, Body] = {
    "tl.attention": tl.attention,
    "tl, fused body": lambda Q, K, V, mask: fused_attention_steps(Q, K, V, mask).output,
    "textbook": textbook,
    "torch, fused": lambda Q, K, V, mask: F.scaled_dot_product_attention(Q, K, V, mask),
}


def inputs(case: str) -> list[torch.Tensor | None]:
    """Return Q, K, V and the mask of a case."""
    batch, heads, n_q, n_k, masked = CASES[case]
    rng = torch.Generator().manual_seed(0)
    Q, K, V = (torch.randn(batch, heads, n, D_K, generator=rng) for n in (n_q, n_k, n_k))
    return [Q, K, V, tl.causal_mask(n_q, like=Q, offset=n_k - n_q) if masked else None]
