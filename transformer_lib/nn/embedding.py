"""The embedding of tokens, with their positions."""

import torch

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.embedding import embedding_steps
from transformer_lib.model.parameters import embedding_shapes
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class Embedding(Parametrized):
    """Looks tokens up and adds positions where the configuration adds them here.

    Args:
        config: the shape of the model.
        source: whether this reads the encoder's own vocabulary.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, source: bool = False, seed: Seed = 0) -> None:
        prefix = "source_embedding." if source else "embedding."
        super().__init__(config, embedding_shapes(config, prefix), seed)
        self.prefix = prefix

    def forward(self, ids: torch.Tensor, *, offset: int = 0) -> torch.Tensor:
        """Return embedded ids, (..., n, d_model); the first is at position `offset`."""
        named = {self.prefix + name: x for name, x in self.by_name().items()}
        steps = embedding_steps(
            named, self.config, ids, offset=offset, prefix=self.prefix, dropout=self.dropout
        )
        output: torch.Tensor = steps.output
        return output
