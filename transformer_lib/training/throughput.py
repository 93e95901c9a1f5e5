"""How many operations a training step takes for each token."""

import torch

from transformer_lib.formulas import checks


def flops_per_token(model: torch.nn.Module, length: int) -> int:
    """Return the operations that training takes for each token of a Transformer.

    6 for each parameter that multiplies it, a product and a sum, forward and twice backward, and
    12 N d_model n for the scores and the sums of attention.

    Args:
        model: a Transformer, one embedding and its head counted once.
        length: n, ids of a window.

    Raises:
        ValueError: length is not an integer of 1 or more.

    Source: Chowdhery et al. (2022), "PaLM", appendix B; Kaplan et al. (2020), section 2.1.
    """
    checks.count(1, length=length)
    parameters = sum(p.numel() for p in model.parameters())
    config = getattr(model, "config", None)
    layers, width = getattr(config, "layers", 0), getattr(config, "d_model", 0)
    return 6 * parameters + 12 * int(layers) * int(width) * length
