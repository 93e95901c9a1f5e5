"""What parameters are before training, drawn from a seed."""

import math

import torch

from transformer_lib.model.configuration import Configuration

Seed = int | torch.Generator


def initial(
    name: str, shape: tuple[int, ...], config: Configuration, generator: torch.Generator
) -> torch.Tensor:
    """Draw the first value of the parameter with this name.

    Gains are 1 and biases 0. Matrices are uniform with a variance of 2 / (d_in + d_out). In a
    pre-norm model those that write to the residual stream are smaller by sqrt(layers that write),
    so that its variance does not grow with the depth. Embeddings are normal with a deviation of
    1 / sqrt(d_model) where they are scaled by sqrt(d_model), else 0.02.

    Source: Glorot and Bengio (2010), section 4.2.1; Radford et al. (2019), section 2.3; Devlin et
    al. (2019), appendix A.2 (0.02); Raffel et al. (2020), released code (relative positions).
    """
    if name == "gain":
        return torch.ones(shape)
    if len(shape) == 1:
        return torch.zeros(shape)
    if name in ("tokens", "positions", "types", "relative_positions"):
        wide = name == "relative_positions" or (name == "tokens" and config.scale_embedding)
        deviation = config.d_model**-0.5 if wide else 0.02
        return torch.normal(0.0, deviation, shape, generator=generator)
    bound = math.sqrt(6 / sum(shape))
    if name in ("W_O", "W_2") and config.place == "pre":
        bound /= math.sqrt(writers(config))
    return torch.empty(shape).uniform_(-bound, bound, generator=generator)


def writers(config: Configuration) -> int:
    """Return how many sub-layers write to one residual stream."""
    return max(1, config.layers * (3 if config.kind == "encoder-decoder" else 2))


def generator_of(seed: Seed) -> torch.Generator:
    """Return a generator: the given one, or a new one with this seed."""
    if isinstance(seed, torch.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ValueError(f"seed must be an integer or a torch.Generator, got {seed!r}")
    return torch.Generator().manual_seed(seed)
