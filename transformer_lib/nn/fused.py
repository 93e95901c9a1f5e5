"""Torch's fused kernels, which replace the explicit formulas for speed."""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F

from transformer_lib.formulas.attention import AttentionSteps
from transformer_lib.model.block import Kernels
from transformer_lib.model.configuration import Configuration


def _gelu_tanh(X: torch.Tensor) -> torch.Tensor:  # unlike a partial, it stays itself in a copy
    return F.gelu(X, approximate="tanh")


FUSED_ACTIVATIONS: Mapping[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": _gelu_tanh,
    "silu": F.silu,
    "swiglu": F.silu,
    "geglu": F.gelu,
    "geglu_tanh": _gelu_tanh,
}


def fused_attention_steps(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    mask: torch.Tensor | None = None,
    *,
    bias: torch.Tensor | None = None,
    dropout: float = 0.0,
    divisor: float | None = None,
    causal: bool = False,
) -> AttentionSteps:
    """Compute the output of `attention_steps` in one call of torch; the other steps are None.

    `dropout` is the share of weights set to 0. If `causal` is true, the mask is only the causal
    mask, so torch skips the scores that it hides.

    Source: Dao et al. (2022), whose kernel torch runs where it can.
    """
    causal = causal and bias is None
    if causal:
        mask = None
        if Q.shape[-2] == 1:  # of one row alone, the last, a causal mask hides nothing
            causal = False  # a branch, since torch.compile has a symbol for the length
    if bias is not None:
        bias = bias.to(Q.dtype)
        mask = bias if mask is None else torch.where(mask, bias, -math.inf)
    if mask is not None:
        # A mask of three axes sends torch to its slow kernel: it gets as many axes as Q.
        mask = mask.reshape(*[1] * (Q.ndim - mask.ndim), *mask.shape)
    scale = None if divisor is None else 1 / divisor
    output = F.scaled_dot_product_attention(
        Q, K, V, attn_mask=mask, dropout_p=dropout, is_causal=causal, scale=scale
    )
    return AttentionSteps(None, None, None, None, output)


def fused_norm(
    arrays: dict[str, torch.Tensor], config: Configuration, X: torch.Tensor
) -> torch.Tensor:
    """Compute `norm_of` in one call of torch."""
    gain, width = arrays.get("gain"), (config.d_model,)
    if config.norm == "rms":
        return F.rms_norm(X, width, gain, config.eps)
    return F.layer_norm(X, width, gain, arrays.get("bias"), config.eps)


FUSED = Kernels(fused_attention_steps, fused_norm, FUSED_ACTIVATIONS, causal=True)
