"""Initial parameters: the rule for their distributions, and numpy arrays sampled by that rule."""

import math

import numpy as np

from transformer_lib.formulas.checks import Array
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import parameter_shapes

TABLES = ("tokens", "positions", "types", "relative_positions")


def initial_parameters(config: Configuration, rng: np.random.Generator) -> dict[str, Array]:
    """Sample every parameter of an untrained model in numpy, by the same rule as `nn`.

    Args:
        config: the configuration of the model.
        rng: the generator that samples the numbers, in the order of `parameter_shapes`.

    Raises:
        ValueError: rng is not a numpy Generator.

    Source: the sources of `initial_size`.

    >>> config = Configuration(kind="decoder", vocabulary_size=50, d_model=8, heads=2, layers=1)
    >>> drawn = initial_parameters(config, np.random.default_rng(0))
    >>> drawn["embedding.tokens"].shape, drawn["decoder.layers.0.self_attention_norm.gain"][:2]
    ((50, 8), array([1., 1.]))
    """
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}")
    drawn = {}
    for name, shape in parameter_shapes(config).items():
        law, size = initial_size(name.rpartition(".")[2], shape, config)
        if law == "constant":
            drawn[name] = np.full(shape, size)
        elif law == "normal":
            drawn[name] = rng.normal(0.0, size, shape)
        else:
            drawn[name] = rng.uniform(-size, size, shape)
    return drawn


def initial_size(name: str, shape: tuple[int, ...], config: Configuration) -> tuple[str, float]:
    """Return the initial distribution of the parameter with this name and the size of its values.

    The result is ("constant", value), ("normal", deviation) or ("uniform", bound). Gains are 1 and
    biases are 0. Matrices are uniform with a variance of 2 / (d_in + d_out). In a pre-norm model,
    matrices that write to the residual stream are divided by sqrt(sub-layers that write), so the
    variance of the stream does not grow with the depth. Tables are normal: token embeddings that
    are scaled by sqrt(d_model) and T5's relative positions have a deviation of 1 / sqrt(d_model),
    and all other embeddings have one of 0.02.

    Source: Glorot and Bengio (2010), section 4.2.1; Radford et al. (2019), section 2.3; Devlin et
    al. (2019), appendix A.2 (0.02); Raffel et al. (2020), released code (relative positions).
    """
    if len(shape) == 1:
        return "constant", float(name == "gain")
    if name in TABLES:
        wide = name == "relative_positions" or (name == "tokens" and config.scale_embedding)
        return "normal", config.d_model**-0.5 if wide else 0.02
    bound = math.sqrt(6 / sum(shape))
    if name in ("W_O", "W_2") and config.place == "pre":
        bound /= math.sqrt(writers(config))
    return "uniform", bound


def writers(config: Configuration) -> int:
    """Return how many sub-layers write to one residual stream."""
    return max(1, config.layers * (3 if config.kind == "encoder-decoder" else 2))
