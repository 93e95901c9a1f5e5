"""Heads that replace the head of a pre-trained model, which predicts tokens."""

import copy
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import nn

from transformer_lib.nn import Transformer, initial
from transformer_lib.nn.initialization import generator_of
from transformer_lib.nn.parametrized import sizes


class TagHead(nn.Module):
    """Scores every tag of every token by one linear map.

    Args:
        model: the model that the head is for.
        tags: the number of tags.
        seed: the seed of the head's first weights.

    Source: Devlin et al. (2019), section 5.3, for named entities.
    """

    def __init__(self, model: Transformer, tags: int, *, seed: int = 0) -> None:
        super().__init__()
        shape, like = (model.config.d_model, tags), next(model.parameters())
        self.W = nn.Parameter(initial("W", shape, model.config, generator_of(seed)).to(like))
        self.b = nn.Parameter(torch.zeros(tags).to(like))

    extra_repr = sizes

    def forward(
        self, hidden: Float[torch.Tensor, "... n d_model"], tokens: torch.Tensor | None = None
    ) -> Float[torch.Tensor, "... n tags"]:
        """Return scores for the last hidden vectors of the model; the embedding is not used."""
        return hidden @ self.W + self.b


class TextHead(TagHead):
    """Scores every class of a whole sequence by the hidden vector of its first position.

    Source: Devlin et al. (2019), section 4.1.
    """

    def forward(
        self, hidden: Float[torch.Tensor, "... n d_model"], tokens: torch.Tensor | None = None
    ) -> Float[torch.Tensor, "... tags"]:
        """Return scores for the first of the last hidden vectors; the embedding is not used."""
        return hidden[..., 0, :] @ self.W + self.b


def with_head(model: Transformer, head: nn.Module) -> Transformer:
    """Return a copy of a model with another head; the given model stays as it is.

    >>> from transformer_lib import Configuration
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=7, d_model=4, heads=2, layers=1, d_ff=8
    ... )
    >>> model = Transformer(config)
    >>> ids = torch.tensor([[3, 1, 4]])
    >>> [tuple(with_head(model, head(model, 5))(ids).shape) for head in (TagHead, TextHead)]
    [(1, 3, 5), (1, 5)]
    """
    other = copy.deepcopy(model)
    other.head = head  # type: ignore[assignment]
    other.config = replace(model.config, headless=False)
    return other
