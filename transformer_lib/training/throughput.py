"""How fast a model trains, beside what the machine could do."""

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


def flops_utilization(tokens_per_second: float, flops: float, peak: float) -> float:
    """Return the share of the machine's operations that the model's own ones take.

    Args:
        tokens_per_second: as training reaches it.
        flops: for each token, as `flops_per_token` gives it.
        peak: operations a second that the machine can do at most.

    Raises:
        ValueError: an argument is not positive and finite.

    Source: Chowdhery et al. (2022), "PaLM", appendix B.

    >>> flops_utilization(1000.0, 6e6, 2.4e10)
    0.25
    """
    checks.positive(tokens_per_second=tokens_per_second, flops=flops, peak=peak)
    return tokens_per_second * flops / peak
