"""The input of a stack: embedded tokens and their positions."""

from typing import NamedTuple

from jaxtyping import Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.embedding import embed
from transformer_lib.formulas.position import learned_positions, sinusoidal
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.layer import Dropout
from transformer_lib.model.parameters import Parameters, embedding_shapes, take


class EmbeddingSteps(NamedTuple):
    """The steps of the embedding; `positions` is None where none are added."""

    tokens: Array  # (..., n, d_model), scaled
    positions: Array | None  # (n, d_model)
    output: Array


def embedding_steps(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Array, "... n"],
    *,
    offset: int = 0,
    prefix: str = "embedding.",
    dropout: Dropout | None = None,
) -> EmbeddingSteps:
    """Look tokens up and add their positions.

    Args:
        parameters: arrays by name: "tokens", and "positions" if they are learned, after `prefix`.
        config: the shape of the model.
        ids: token ids, (..., n).
        offset: the position of the first id.
        prefix: "embedding." or, for a vocabulary of the encoder's own, "source_embedding.".
        dropout: applied to the sum.

    Raises:
        ValueError: ids are not ids of this vocabulary, a learned position is past the end of its
            table, or a parameter is missing or has another shape.

    Source: Vaswani et al. (2017), sections 3.4, 3.5 and 5.4.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=1, heads=1, position="none"
    ... )
    >>> E = np.array([[3.0], [4.0]])
    >>> embedding_steps({"embedding.tokens": E}, config, np.array([1])).output
    array([[4.]])
    """
    checks.namespace(ids=ids)
    checks.at_least_rank(1, ids=ids)
    arrays = take(parameters, embedding_shapes(config, prefix), prefix)
    tokens = embed(ids, arrays["tokens"], scale=config.scale_embedding)
    n, positions = ids.shape[-1], None
    if config.position == "sinusoidal":
        positions = sinusoidal(n, config.d_model, like=tokens, base=config.base, offset=offset)
    if config.position == "learned":
        positions = learned_positions(arrays["positions"], n, offset=offset)
    summed = tokens if positions is None else tokens + positions
    return EmbeddingSteps(tokens, positions, summed if dropout is None else dropout(summed))
