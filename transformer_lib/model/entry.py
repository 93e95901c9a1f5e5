"""Check the inputs of a part or a model where it is called, so that inner code need not do so."""

from typing import Any

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.model.cache import Cache, KeyValues
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.context import Context


def to_attention(
    config: Configuration,
    X: Array,
    memory: Array | None = None,
    mask: Array | None = None,
    **given: Any,
) -> Context:
    """Return the inputs of an attention layer as one value, or raise ValueError."""
    context = Context(mask=mask, memory=memory, **given)
    check_rows(config, X=X, **checks.given(memory=memory))
    if mask is not None:  # floats would be added to the scores
        checks.boolean(checks.namespace(X=X, mask=mask), mask=mask)
    return _with_positions(config, X, context, context.cache)


def to_block(
    config: Configuration,
    X: Array,
    memory: Array | None = None,
    mask: Array | None = None,
    **given: Any,
) -> Context:
    """Return the inputs of a layer as one value, or raise ValueError."""
    context = Context(mask=mask, memory=memory, **given)
    own = None if context.cache is None else context.cache.own
    _check_masks(config, X, context, 0 if own is None else own.length)
    return _with_positions(config, X, context, own)


def to_stack(
    config: Configuration,
    layers: int,
    X: Array,
    memory: Array | None = None,
    mask: Array | None = None,
    **given: Any,
) -> Context:
    """Return the inputs of a stack of `layers` layers as one value, or raise ValueError."""
    context = Context(mask=mask, memory=memory, **given)
    check_layers(config, layers, context.cache)
    _check_masks(config, X, context, 0 if context.cache is None else context.cache.length)
    return context


def check_rows(config: Configuration, **rows: Array) -> None:
    """Raise ValueError unless the arrays contain d_model-dimensional rows."""
    xp = checks.namespace(**rows)
    checks.at_least_rank(2, **rows)
    for name, array in rows.items():
        checks.exact_shape((*array.shape[:-1], config.d_model), **{name: array})
    checks.real(xp, **rows)


def check_layers(config: Configuration, layers: int, cache: Cache | None) -> None:
    """Raise ValueError if a cache has another number of layers or belongs to another model."""
    if cache is None:
        return
    if len(cache.layers) != layers:
        raise ValueError(f"cache must have one entry per layer, {layers}, got {len(cache.layers)}")
    widths = (config.d_model, config.h_kv, config.d_k)
    cache.check_grown(cache.length)
    if cache.length == 0:
        cache.widths = widths
    if cache.widths not in (None, widths):
        raise ValueError(f"cache must have (d_model, h_kv, d_k) = {widths}, got {cache.widths}")


def _check_masks(config: Configuration, X: Array, context: Context, n_past: int) -> None:
    memory, bias = context.memory, context.bias
    if memory is not None and not config.has_encoder:
        raise ValueError("memory must be None in a model without an encoder")
    masks = checks.given(mask=context.mask, memory_mask=context.memory_mask)
    xp = checks.namespace(X=X, **checks.given(memory=memory, bias=bias), **masks)
    check_rows(config, X=X, **checks.given(memory=memory))
    checks.boolean(xp, **masks)
    batch, n = tuple(X.shape[:-2]), X.shape[-2]
    checks.broadcasts_to((*batch, n, n_past + n), **checks.given(mask=context.mask))
    checks.broadcasts_to((*batch, config.heads, n, n_past + n), **checks.given(bias=bias))
    if memory is not None:
        batch = checks.batch_shape({"X": batch, "memory": memory.shape[:-2]}, X=X, memory=memory)
        read = (*batch, n, memory.shape[-2])
        checks.broadcasts_to(read, **checks.given(memory_mask=context.memory_mask))


def _with_positions(
    config: Configuration, X: Array, context: Context, cache: KeyValues | None
) -> Context:
    """Return positions that go on where the cache ends, where rows are turned by them."""
    if cache is None or context.positions is not None or config.position != "rotary":
        return context
    n, n_past = X.shape[-2], cache.length
    positions = checks.library(X).arange(n_past, n_past + n, device=X.device)
    return context._replace(positions=positions)


def _count_tokens(mask: Array) -> Array:
    """Return positions that count the tokens of a mask from 0, and stay at 0 in padding before."""
    xp = checks.namespace(mask=mask)
    counted = xp.cumsum(xp.astype(mask, xp.int64), axis=-1) - 1
    return xp.where(counted < 0, 0, counted)


def check_ids(
    config: Configuration,
    ids: Array,
    source: Array | None,
    mask: Array | None,
    source_mask: Array | None,
    cache: Cache | None,
) -> None:
    """Raise ValueError unless a model of this kind accepts the ids, masks and cache."""
    xp = checks.namespace(
        ids=ids, **checks.given(source=source, mask=mask, source_mask=source_mask)
    )
    checks.at_least_rank(1, ids=ids, **checks.given(source=source))
    for name, given, tokens in (("mask", mask, ids), ("source_mask", source_mask, source)):
        if given is not None and tokens is not None:
            checks.boolean(xp, **{name: given})
            checks.exact_shape(tuple(tokens.shape), **{name: given})
    if source is not None:
        checks.batch_shape(
            {"ids": tuple(ids.shape[:-1]), "source": tuple(source.shape[:-1])},
            ids=ids,
            source=source,
        )
    if source is not None and config.kind != "encoder-decoder":
        raise ValueError(
            f"source is for an encoder-decoder, but this model has kind {config.kind!r}"
        )
    if source is None and config.kind == "encoder-decoder":
        raise ValueError("source must be given to an encoder-decoder, got None")
    if cache is not None and not config.has_decoder:
        raise ValueError("cache is for a model with a decoder, but this model has kind 'encoder'")
    if cache is not None and cache.length > 0:
        _check_cache(cache, ids)


def _check_cache(cache: Cache, ids: Array) -> None:
    if cache.length >= ids.shape[-1]:
        raise ValueError(
            f"ids must continue where the cache ends, at {cache.length}, got {checks.shape_of(ids)}"
        )
    K = cache.layers[0].own.K
    texts = tuple(K.shape[:-3]) if K is not None else ()
    if K is not None and texts != tuple(ids.shape[:-1]):
        raise ValueError(
            f"cache was filled by sequences of shape {texts}, but ids has sequences of shape "
            f"{tuple(ids.shape[:-1])}: continue a cache with the sequences that filled it"
        )


def as_tokens(**masks: Array | None) -> list[Array | None]:
    """Return masks of tokens as booleans; integers of 0 and 1 mean the same.

    Raises:
        ValueError: another integer is in a mask.
    """
    found = []
    for name, mask in masks.items():
        xp = None if mask is None else checks.namespace(**{name: mask})
        if xp is not None and checks.is_integer(xp, mask):
            if not checks.compiling(xp):
                checks.below(xp, 2, **{name: mask})
            mask = mask == 1
        found.append(mask)
    return found


def positions_of(
    config: Configuration, ids: Array, mask: Array | None, positions: Array | None
) -> Array | None:
    """Return the positions of ids, or None if every id is counted, including padding."""
    if positions is None:
        if mask is None and config.skip_padding:
            mask = ids != config.padding_id
        return None if mask is None else _count_tokens(mask)
    xp = checks.namespace(ids=ids, positions=positions)
    checks.integers(xp, positions=positions)
    checks.exact_shape(tuple(ids.shape), positions=positions)
    if config.position in ("alibi", "t5"):
        raise ValueError(f"positions must be None with {config.position!r}, which counts rows")
    return xp.astype(positions, xp.int64, copy=False)
