"""The first values of parameters, before training, drawn from a seed."""

import torch

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.initialization import initial_size

Seed = int | torch.Generator


def initial(
    name: str, shape: tuple[int, ...], config: Configuration, generator: torch.Generator
) -> torch.Tensor:
    """Return the first value of a named parameter on the CPU, by the law of `initial_size`.

    Source: as `transformer_lib.model.initialization.initial_size`.
    """
    law, size = initial_size(name, shape, config)
    if law == "constant":
        return torch.full(shape, size, device="cpu")
    if law == "normal":
        return torch.normal(0.0, size, shape, generator=generator, device="cpu")
    return torch.empty(shape, device="cpu").uniform_(-size, size, generator=generator)


def generator_of(seed: Seed) -> torch.Generator:
    """Return the given generator, or a new one with this seed."""
    if isinstance(seed, torch.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ValueError(f"seed must be an integer or a torch.Generator, got {seed!r}")
    return torch.Generator().manual_seed(seed)
