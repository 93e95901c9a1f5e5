"""The optimizer: Adam, or AdamW with weight decay for matrices only."""

from collections.abc import Iterable
from typing import Any

import torch

from transformer_lib.training.settings import Settings


def decay_groups(model: torch.nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Return the parameters in two groups: matrices decay, biases and the gains of norms do not.

    Args:
        model: any module.
        weight_decay: the weight decay of the matrices.

    Source: Radford et al. (2018), section 4.1, "on all non bias or gain weights".

    >>> groups = decay_groups(torch.nn.Linear(2, 3), 0.1)
    >>> [(group["weight_decay"], [tuple(p.shape) for p in group["params"]]) for group in groups]
    [(0.1, [(3, 2)]), (0.0, [(3,)])]
    """
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]


def optimizer_of(
    model: torch.nn.Module,
    settings: Settings,
) -> torch.optim.Optimizer:
    """Return torch's AdamW, or its Adam if the weight decay is 0.

    Source: Kingma, Ba (2015); Loshchilov, Hutter (2019) for AdamW.
    """
    betas = (0.9, settings.beta_2)
    options: dict[str, Any] = {"betas": betas, "eps": 1e-9, "fused": True}
    if settings.weight_decay:
        groups = decay_groups(model, settings.weight_decay)
        return torch.optim.AdamW(groups, **options)
    return torch.optim.Adam(model.parameters(), **options)


def clip_gradients(
    parameters: Iterable[torch.Tensor],
    limit: float | None,
) -> float:
    """Clip the gradients, as one vector, to a limit, and return its norm before clipping.

    Args:
        parameters: the parameters; those without a gradient are left out.
        limit: the greatest norm that the vector may have; None only measures the norm.

    Raises:
        ValueError: limit is not positive.

    Source: Pascanu, Mikolov, Bengio (2013), section 3.2.

    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> x.grad = torch.tensor([3.0, 4.0])
    >>> clip_gradients([x], 1.0), x.grad.norm().round(decimals=4)
    (5.0, tensor(1.))
    """
    if limit is not None and not limit > 0:
        raise ValueError(f"limit must be positive, got {limit}")
    longest = float("inf") if limit is None else limit
    return float(torch.nn.utils.clip_grad_norm_(parameters, longest))
