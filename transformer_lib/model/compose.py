"""How the parts of a model join, whatever functions or modules they are."""

from typing import Any

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.mask import padding_mask
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration


def compose(
    parts: Any,
    config: Configuration,
    ids: Array,
    source: Array | None = None,
    *,
    record: Record = ignore,
    **options: Any,
) -> Array:
    """Join the parts of a model: embedding, encoder, decoder, head.

    Args:
        parts: functions under these names, or the modules of torch: `embedding` and, of a model
            with two vocabularies, `source_embedding`, from ids to rows; `encoder` and `decoder`,
            from rows to rows; `head`, from rows to logits; `classifier`, from rows to classes. A
            model has those of its kind.
        config: the shape of the model.
        ids: token ids, (..., n).
        source: token ids of the encoder of an encoder-decoder.
        record: told of every intermediate by name.
        options: the masks, positions, types and the cache of `forward`.

    Raises:
        ValueError: as `forward`.
    """
    hidden = compose_hidden(parts, config, ids, source, record=record, **options)
    tied = {"tokens": parts.embedding.tokens} if config.tied else {}
    scores = parts.head(hidden, **tied)
    record("logits", scores)
    return scores


def compose_classes(
    parts: Any, config: Configuration, ids: Array, *, record: Record = ignore, **options: Any
) -> Array:
    """Join the parts of a model that tells classes apart, as `compose` does.

    Raises:
        ValueError: as `classify`.
    """
    if not config.classes:
        raise ValueError("config must have classes, got 0")
    scores = parts.classifier(compose_hidden(parts, config, ids, record=record, **options))
    record("classes", scores)
    return scores


def compose_hidden(
    parts: Any,
    config: Configuration,
    ids: Array,
    source: Array | None = None,
    *,
    mask: Array | None = None,
    source_mask: Array | None = None,
    positions: Array | None = None,
    source_positions: Array | None = None,
    types: Array | None = None,
    cache: Cache | None = None,
    record: Record = ignore,
) -> Array:
    """Return the last rows of a model, (..., n, d_model), which a head scores; see `compose`."""
    _check(config, ids, source, mask, source_mask, cache)
    positions = _positions(config, ids, mask, positions)
    if not config.has_decoder:
        keys = _keys(config, ids, mask)
        rows = parts.embedding(ids, positions=positions, types=types)
        hidden = parts.encoder(rows, **checks.given(mask=keys, positions=positions))
        record("encoder.output", hidden)
        return hidden
    memory, memory_mask = _read(parts, config, source, source_mask, source_positions, cache, record)
    first = 0 if cache is None else cache.length
    new, new_types = (None if x is None else x[..., first:] for x in (positions, types))
    rows = parts.embedding(ids[..., first:], offset=first, positions=new, types=new_types)
    keys = None if mask is None else mask[..., None, :]
    given = checks.given(memory=memory, mask=keys, memory_mask=memory_mask, positions=new)
    hidden = parts.decoder(rows, **given, **checks.given(cache=cache))
    record("decoder.output", hidden)
    return hidden


def _read(
    parts: Any,
    config: Configuration,
    source: Array | None,
    source_mask: Array | None,
    source_positions: Array | None,
    cache: Cache | None,
    record: Record,
) -> tuple[Array | None, Array | None]:
    """Return what the encoder puts out, and which rows of it may be attended."""
    if source is None:
        return None, None
    keys = _keys(config, source, source_mask)
    if cache is not None and cache.memory is not None:
        return cache.memory, keys
    embed = parts.source_embedding if config.has_source_embedding else parts.embedding
    shared = {"tokens": parts.embedding.tokens} if config.side_positions else {}
    positions = _positions(config, source, source_mask, source_positions)
    rows = embed(source, positions=positions, **shared)
    # Where both sides share one embedding, its own record names the target's rows alone.
    record("source_embedding.output", rows)
    memory = parts.encoder(rows, **checks.given(mask=keys, positions=positions))
    record("encoder.output", memory)
    if cache is not None:
        cache.memory = memory
    return memory, keys


def _keys(config: Configuration, ids: Array, mask: Array | None) -> Array | None:
    if mask is not None:
        return mask[..., None, :]
    return None if config.padding_id is None else padding_mask.formula(ids, config.padding_id)


def _count_tokens(mask: Array) -> Array:
    """Return positions that count the tokens of a mask from 0, and stay at 0 in padding before."""
    xp = checks.namespace(mask=mask)
    counted = xp.cumsum(xp.astype(mask, xp.int64), axis=-1) - 1
    return xp.where(counted < 0, 0, counted)


def _check(
    config: Configuration,
    ids: Array,
    source: Array | None,
    mask: Array | None,
    source_mask: Array | None,
    cache: Cache | None,
) -> None:
    xp = checks.namespace(
        ids=ids, **checks.given(source=source, mask=mask, source_mask=source_mask)
    )
    checks.at_least_rank(1, ids=ids, **checks.given(source=source))
    for name, given, tokens in (("mask", mask, ids), ("source_mask", source_mask, source)):
        if given is not None and tokens is not None:
            checks.boolean(xp, **{name: given})
            checks.exact_shape(tuple(tokens.shape), **{name: given})
    if source is not None and config.kind != "encoder-decoder":
        raise ValueError(f"source is for an encoder-decoder, this model's kind is {config.kind!r}")
    if source is None and config.kind == "encoder-decoder":
        raise ValueError("source must be given to an encoder-decoder, got None")
    if cache is not None and not config.has_decoder:
        raise ValueError("cache is for a model with a decoder, this model's kind is 'encoder'")
    if cache is not None and cache.length > 0:
        _check_cache(cache, ids)


def _check_cache(cache: Cache, ids: Array) -> None:
    if cache.length >= ids.shape[-1]:
        raise ValueError(
            f"ids must go on where the cache ends, at {cache.length}, got {checks.shape_of(ids)}"
        )
    K = cache.layers[0].own.K
    texts = tuple(K.shape[:-3]) if K is not None else ()
    if K is not None and texts != tuple(ids.shape[:-1]):
        raise ValueError(
            f"cache is of texts of shape {texts}, and ids are of texts of shape "
            f"{tuple(ids.shape[:-1])}: a cache goes on with the texts that filled it"
        )


def _positions(
    config: Configuration, ids: Array, mask: Array | None, positions: Array | None
) -> Array | None:
    """Return the positions of ids, or None where they count all ids."""
    if positions is None:
        if mask is None and config.skip_padding:
            mask = ids != config.padding_id
        return None if mask is None else _count_tokens(mask)
    xp = checks.namespace(ids=ids, positions=positions)
    checks.integers(xp, positions=positions)
    checks.exact_shape(tuple(ids.shape), positions=positions)
    if config.position in ("alibi", "t5"):
        raise ValueError(f"positions must be None with {config.position!r}, which counts rows")
    return positions
