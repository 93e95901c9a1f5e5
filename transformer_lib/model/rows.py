"""Convert ids to rows: look tokens up and add their positions and types."""

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import numpy as np

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.embedding import embed
from transformer_lib.formulas.position import learned_positions, sines_and_cosines
from transformer_lib.model.configuration import Configuration


class EmbeddingSteps(NamedTuple):
    """The steps of the embedding; `positions` and `types` are None if none are added."""

    tokens: Array  # (..., n, d_model), scaled
    positions: Array | None  # (n, d_model), or (..., n, d_model) where they were given
    types: Array | None  # (..., n, d_model)
    output: Array


def embedding_of(
    arrays: dict[str, Array],
    config: Configuration,
    ids: Array,
    *,
    offset: int = 0,
    positions: Array | None = None,
    types: Array | None = None,
    tokens: Array | None = None,
    norm: Callable[[Array], Array] | None = None,
    dropout: Callable[[Array], Array] | None = None,
) -> EmbeddingSteps:
    """Embed ids with the arrays "tokens" and, if they are given, "positions" and "types".

    Raises:
        ValueError: for the same reasons as `embedding_steps`.
    """
    table = arrays["tokens"] if tokens is None else tokens
    xp = checks.namespace(ids=ids, tokens=table, **checks.given(positions=positions, types=types))
    checks.at_least_rank(1, ids=ids)
    checks.integers(xp, ids=ids)
    checks.count(0, offset=offset)
    rows = _rows(xp, table, ids=ids)
    if config.scale_embedding:
        rows = rows * config.d_model**0.5
    added = _positions(xp, arrays, config, ids.shape[-1], offset, positions, like=rows)
    typed = _types(xp, arrays, config, ids, types)
    output = sum([x for x in (added, typed) if x is not None], start=rows)
    for f in (norm, dropout):
        output = output if f is None else f(output)
    return EmbeddingSteps(rows, added, typed, output)


def _types(
    xp: ModuleType, arrays: dict[str, Array], config: Configuration, ids: Array, types: Array | None
) -> Array | None:
    if not config.token_types:
        if types is not None:
            raise ValueError("types must be None in a model without token types")
        return None
    if types is None:
        return arrays["types"][0]
    checks.integers(xp, types=types)
    checks.exact_shape(tuple(ids.shape), types=types)
    return _rows(xp, arrays["types"], types=types)


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
        if positions is None and offset + n > config.max_length:
            raise ValueError(
                f"ids must be at most max_length = {config.max_length} tokens long, because "
                f"there are no more learned positions, got {offset + n}"
            )
        if positions is None:
            return learned_positions.formula(arrays["positions"], n, offset=offset)
        return _rows(xp, arrays["positions"], positions=positions)
    if config.position != "sinusoidal":
        return None
    if positions is None:
        positions = xp.arange(offset, offset + n, device=like.device)
    return sines_and_cosines(
        positions, config.d_model, config.base, like=like, halves=config.halves
    )


def _rows(xp: ModuleType, table: Array, **ids: Array) -> Array:
    """Return the rows of a table, or raise ValueError where an id has none."""
    ((_, picked),) = ids.items()
    if xp is np:  # where an id below 0 would count from the end
        checks.below(xp, table.shape[0], **ids)
    try:
        return embed.formula(xp.astype(picked, xp.int64, copy=False), table)
    except IndexError:  # of torch: reading the values first would make a GPU wait at every call
        checks.below(xp, table.shape[0], **ids)
        raise
