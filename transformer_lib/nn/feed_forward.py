"""The feed-forward layer with its parameters."""

import torch

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import feed_forward_from, feed_forward_shapes
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class FeedForward(Parametrized):
    """Two linear maps with an activation between them, or the gated layer.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, feed_forward_shapes(config), seed)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        """Return rows like X, each computed on its own."""
        output: torch.Tensor = feed_forward_from(self.by_name(), self.config, "", X).output
        return output
