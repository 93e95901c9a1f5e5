"""Layer norm or RMS norm with its parameters."""

import torch

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import norm_from, norm_shapes
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class Norm(Parametrized):
    """The norm that the configuration names.

    Args:
        config: the shape of the model.
        seed: not used, all gains start at 1 and biases at 0.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, norm_shapes(config), seed)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        """Return the normalized rows of X."""
        output: torch.Tensor = norm_from(self.by_name(), self.config, "")(X)
        return output
