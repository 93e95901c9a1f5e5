"""The input of a stack: embedded tokens and their positions."""

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.embedding import embed_unchecked
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.position import learned_positions, sinusoidal_unchecked
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters, embedding_shapes, take


class EmbeddingSteps(NamedTuple):
    """The steps of the embedding; `positions` is None where none are added."""

    tokens: Array  # (..., n, d_model), scaled
    positions: Array | None  # (n, d_model), or (..., n, d_model) where they were given
    output: Array


def embedding_steps(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    *,
    offset: int = 0,
    positions: Int[Operand, "... n"] | None = None,
    prefix: str = "embedding.",
) -> EmbeddingSteps:
    """Look tokens up and add their positions.

    Args:
        parameters: arrays by name: "tokens", and "positions" if they are learned, after `prefix`.
        config: the shape of the model.
        ids: token ids, (..., n).
        offset: the position of the first id, from which the others count on.
        positions: the position of each id in the place of that, (..., n).
        prefix: "embedding." or, for a vocabulary of the encoder's own, "source_embedding.".

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
    arrays = take(parameters, embedding_shapes(config, prefix), prefix)
    return embedding_of(arrays, config, ids, offset=offset, positions=positions)


def embedding_of(
    arrays: dict[str, Array],
    config: Configuration,
    ids: Array,
    *,
    offset: int = 0,
    positions: Array | None = None,
    dropout: Callable[[Array], Array] | None = None,
) -> EmbeddingSteps:
    """Embed ids with the arrays "tokens" and, where they are learned, "positions".

    Raises:
        ValueError: as `embedding_steps`.
    """
    xp = checks.namespace(ids=ids, **checks.given(positions=positions))
    checks.at_least_rank(1, ids=ids)
    checks.integers(xp, ids=ids)
    checks.count(0, offset=offset)
    tokens = _rows(xp, arrays["tokens"], ids=ids)
    if config.scale_embedding:
        tokens = tokens * config.d_model**0.5
    added = _positions(xp, arrays, config, ids.shape[-1], offset, positions, like=tokens)
    summed = tokens if added is None else tokens + added
    return EmbeddingSteps(tokens, added, summed if dropout is None else dropout(summed))


def _positions(
    xp: ModuleType,
    arrays: dict[str, Array],
    config: Configuration,
    n: int,
    offset: int,
    positions: Array | None,
    *,
    like: Array,
) -> Array | None:
    if config.position == "learned":
        if positions is None:
            return learned_positions(arrays["positions"], n, offset=offset)
        return _rows(xp, arrays["positions"], positions=positions)
    if config.position != "sinusoidal":
        return None
    if positions is None:
        positions = xp.arange(offset, offset + n, device=like.device)
    return sinusoidal_unchecked(xp, positions, config.d_model, config.base, like=like)


def _rows(xp: ModuleType, table: Array, **ids: Array) -> Array:
    """Return the rows of a table, or raise ValueError where an id has none."""
    ((_, picked),) = ids.items()
    if xp is np:  # where an id below 0 would count from the end
        checks.below(xp, table.shape[0], **ids)
    try:
        return embed_unchecked(xp, picked, table, scale=False)
    except IndexError:  # of torch: reading the values first would make a GPU wait at every call
        checks.below(xp, table.shape[0], **ids)
        raise
