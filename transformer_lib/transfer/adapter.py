"""A low-rank adapter (LoRA): the learned product of two thin matrices added to a frozen one."""

import torch
from jaxtyping import Float
from torch import nn
from torch.nn.utils import parametrize

from transformer_lib.formulas import checks
from transformer_lib.nn import MultiHeadAttention
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import sizes


class LowRank(nn.Module):
    """W becomes W + (alpha / rank) A B; A starts random and B at 0, so at first nothing changes.

    Args:
        W: the matrix that is adapted, (d_in, d_out).
        rank: the number of columns of A and of rows of B.
        alpha: the weight of the product; as much as the rank unless given.
        seed: an integer or a generator, for A.

    Source: Hu et al. (2022), section 4.1.

    >>> adapted = LowRank(torch.eye(3), rank=1)
    >>> adapted(torch.eye(3)).tolist() == torch.eye(3).tolist()
    True
    """

    def __init__(
        self, W: torch.Tensor, *, rank: int, alpha: float | None = None, seed: Seed = 0
    ) -> None:
        super().__init__()
        checks.count(1, rank=rank)
        self.scale = (rank if alpha is None else alpha) / rank
        bound = W.shape[0] ** -0.5
        A = torch.empty(W.shape[0], rank, device="cpu")
        self.A = nn.Parameter(A.uniform_(-bound, bound, generator=generator_of(seed)).to(W))
        self.B = nn.Parameter(torch.zeros(rank, W.shape[1]).to(W))

    extra_repr = sizes

    def forward(self, W: Float[torch.Tensor, "d_in d_out"]) -> Float[torch.Tensor, "d_in d_out"]:
        """Return the matrix that replaces W."""
        return W + self.scale * (self.A @ self.B)


def add_adapters(
    model: nn.Module,
    *,
    rank: int,
    alpha: float | None = None,
    names: tuple[str, ...] = ("W_Q", "W_V"),
    seed: int = 0,
) -> None:
    """Freeze a model, except its head, and put an adapter on matrices of each attention.

    Args:
        model: a Transformer; it is changed in place.
        rank: the rank of each adapter.
        alpha: the weight of the adapters; equal to the rank unless given, which scales by 1.
        names: the names of the matrices.
        seed: the seed of the adapters' first values.

    Raises:
        ValueError: rank is not an integer of 1 or more, the model has no attention layer, or names
            are not those of its matrices.

    Source: Hu et al. (2022), sections 4.2 and 5.1, who adapt W_Q and W_V.
    """
    attentions = [m for m in model.modules() if isinstance(m, MultiHeadAttention)]
    if not attentions:
        raise ValueError(f"model must contain attention to adapt, got {type(model).__name__}")
    matrices = [name for name in attentions[0].names if name.startswith("W_")]
    if isinstance(names, str) or not names or not set(names) <= set(matrices):
        raise ValueError(f"names must be some of {', '.join(matrices)}, in a tuple, got {names!r}")
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.startswith("head."))
    generator = generator_of(seed)
    for attention in attentions:
        for name in names:
            low_rank = LowRank(getattr(attention, name), rank=rank, alpha=alpha, seed=generator)
            parametrize.register_parametrization(attention, name, low_rank)


def merge_adapters(model: nn.Module) -> None:
    """Merge each adapter into the matrix that it adapts; the model computes the same as before.

    All parameters stay frozen, as `add_adapters` left them: to train the merged model, call
    `model.requires_grad_(True)`.

    Source: Hu et al. (2022), section 4.1, "no additional inference latency".
    """
    for module in list(model.modules()):
        for name in list(getattr(module, "parametrizations", {})):
            parametrize.remove_parametrizations(module, name, leave_parametrized=True)


def trained_parameters(model: nn.Module) -> int:
    """Return the number of parameters that training would change.

    >>> trained_parameters(nn.Linear(2, 3)), trained_parameters(LowRank(torch.eye(3), rank=1))
    (9, 6)
    """
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
