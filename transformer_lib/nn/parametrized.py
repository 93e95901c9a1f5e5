"""The base of all modules: parameters by name, and dropout while training."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.initialization import Seed, generator_of, initial


class Parametrized(nn.Module):
    """A module that holds the parameters a formula asks for by name.

    Args:
        config: the shape of the model.
        shapes: the name and shape of each parameter that this module holds itself.
        seed: an integer, or a generator that a parent module draws from.
    """

    def __init__(self, config: Configuration, shapes: dict[str, tuple[int, ...]], seed: Seed):
        super().__init__()
        self.config = config
        generator = generator_of(seed)
        for name, shape in shapes.items():
            value = nn.Parameter(initial(name, shape, config, generator))
            self.register_parameter(name, value)

    def by_name(self) -> dict[str, torch.Tensor]:
        """Return the parameters of this module and of those in it as one flat dictionary."""
        return dict(self.named_parameters())

    @property
    def dropout(self) -> Callable[[torch.Tensor], torch.Tensor] | None:
        """Dropout while training, by torch's own generator, else None."""
        p = self.config.dropout
        return (lambda X: F.dropout(X, p)) if self.training and p > 0 else None
