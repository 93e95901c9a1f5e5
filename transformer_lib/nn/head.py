"""The language model head with its parameters."""

import torch

from transformer_lib.formulas.head import logits, tied_logits
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import head_shapes
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class Head(Parametrized):
    """Scores every token of the vocabulary; a tied head holds nothing and uses the embedding.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, head_shapes(config), seed)

    def forward(self, hidden: torch.Tensor, tokens: torch.Tensor | None = None) -> torch.Tensor:
        """Return logits, (..., V).

        Args:
            hidden: the last rows of the stack, (..., d_model).
            tokens: the embedding matrix, (V, d_model), for a tied head.

        Raises:
            ValueError: the head is tied and there are no tokens.
        """
        if self.config.tied:
            if tokens is None:
                raise ValueError("tokens must be the embedding matrix of a tied head, got None")
            tied: torch.Tensor = tied_logits(hidden, tokens)
            return tied
        named = self.by_name()
        scores: torch.Tensor = logits(hidden, named["W"], named.get("b"))
        return scores
