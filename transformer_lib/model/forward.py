"""The whole model: token ids in, logits out."""

from typing import Any

from jaxtyping import Bool, Float, Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.mask import padding_mask
from transformer_lib.formulas.multi_head import Attend
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.bound import bound
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.stack import cache_length


def forward(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    source: Int[Operand, "... n_source"] | None = None,
    *,
    mask: Bool[Operand, "... n"] | None = None,
    source_mask: Bool[Operand, "... n_source"] | None = None,
    positions: Int[Operand, "... n"] | None = None,
    cache: Cache | None = None,
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n_new V"]:
    """Return the logits of a whole model, one row for each token of ids.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n). With a cache they are still all ids, from the first one.
        source: token ids of the encoder of an encoder-decoder, (..., n_source).
        mask: which ids are tokens and not padding, (..., n). An encoder takes those that are not
            `padding_id`, unless given. A decoder needs a mask only where padding comes first, since
            no token sees the padding behind it.
        source_mask: which ids of the source are tokens; those that are not `padding_id`, unless
            given.
        positions: of the ids, (..., n); where a mask is given they count its tokens, else all ids.
            ALiBi and T5 count rows and take none.
        cache: what a call with the first of these ids has filled; only the rest is computed then,
            and added to the cache.
        attend: what computes each head in the place of `attention_steps`.
        record: told of every intermediate by name, as `trace` keeps them.

    Raises:
        ValueError: ids are not ids of the vocabulary, source is missing or there is no encoder to
            read it, the cache is as long as ids or longer or does not belong to this model, or a
            parameter is missing or has another shape.

    Source: Vaswani et al. (2017), section 3.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> E = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> forward({"embedding.tokens": E}, config, np.array([1])).round(4)
    array([[0.    , 5.6569]])
    """
    parts = bound(parameters, config, attend, record)
    where = {"mask": mask, "source_mask": source_mask, "positions": positions}
    return compose(parts, config, ids, source, **where, cache=cache, record=record)


def trace(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    source: Int[Operand, "... n_source"] | None = None,
    **options: Any,
) -> dict[str, Array]:
    """Return every intermediate of `forward` by name.

    In each layer, here of a decoder: "decoder.layers.0.resid_pre", the residual stream that comes
    in; "decoder.layers.0.self_attention.weights", (..., h, n, n), and the other steps of each
    attention; "attn_out", what attention adds, after dropout; "resid_mid", the stream between the
    sub-layers; "feed_forward.hidden" and the other steps; "mlp_out"; "resid_post". With an encoder
    also "cross_attn_out" and "resid_mid_cross". Around the layers: "embedding.tokens",
    "embedding.positions", "embedding.output", "encoder.output", "decoder.output" and "logits".

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n).
        source: token ids of the encoder of an encoder-decoder, (..., n_source).
        options: the other arguments of `forward`.

    Raises:
        ValueError: as `forward`.

    Source: the names of the stream are those of TransformerLens (Nanda and Bloom, 2022).

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> list(trace({"embedding.tokens": np.eye(2)}, config, np.array([1])))
    ['embedding.tokens', 'embedding.output', 'decoder.output', 'logits']
    """
    kept: dict[str, Array] = {}
    forward(parameters, config, ids, source, **options, record=kept.__setitem__)
    return kept


def compose(
    parts: Any,
    config: Configuration,
    ids: Array,
    source: Array | None = None,
    *,
    mask: Array | None = None,
    source_mask: Array | None = None,
    positions: Array | None = None,
    cache: Cache | None = None,
    record: Record = ignore,
) -> Array:
    """Join the parts of a model: embedding, encoder, decoder, head.

    Args:
        parts: functions under these names, or the modules of torch: `embedding` and, of a model
            with two vocabularies, `source_embedding`, from ids to rows; `encoder` and `decoder`,
            from rows to rows; `head`, from rows to logits. A model has those of its kind.
        config: the shape of the model.
        ids: token ids, (..., n).
        source: token ids of the encoder of an encoder-decoder.
        mask: as in `forward`, like the next four.
        source_mask: which ids of the source are tokens.
        positions: of the ids.
        cache: what a call with the first of these ids has filled.
        record: told of every intermediate by name.

    Raises:
        ValueError: as `forward`.
    """
    _check(config, ids, source, mask, source_mask, cache)
    _check_positions(config, ids, positions)
    if mask is not None and positions is None:
        positions = _count_tokens(mask)
    if not config.has_decoder:
        keys = _keys(config, ids, mask)
        rows = parts.embedding(ids, positions=positions)
        hidden = parts.encoder(rows, **checks.given(mask=keys, positions=positions))
        record("encoder.output", hidden)
        return _scored(parts, config, hidden, record)
    memory, memory_mask = _read(parts, config, source, source_mask, cache, record)
    first = cache_length(config, cache)
    new = None if positions is None else positions[..., first:]
    rows = parts.embedding(ids[..., first:], offset=first, positions=new)
    keys = None if mask is None else mask[..., None, :]
    given = checks.given(memory=memory, mask=keys, memory_mask=memory_mask, positions=new)
    hidden = parts.decoder(rows, **given, **checks.given(cache=cache))
    record("decoder.output", hidden)
    return _scored(parts, config, hidden, record)


def _read(
    parts: Any,
    config: Configuration,
    source: Array | None,
    source_mask: Array | None,
    cache: Cache | None,
    record: Record,
) -> tuple[Array | None, Array | None]:
    """Return what the encoder puts out, and which rows of it may be attended."""
    if source is None:
        return None, None
    keys = _keys(config, source, source_mask)
    if cache is not None and cache.memory is not None:
        return cache.memory, keys
    embed = parts.embedding if config.source_vocabulary_size is None else parts.source_embedding
    positions = None if source_mask is None else _count_tokens(source_mask)
    rows = embed(source, positions=positions)
    # Where both sides share one embedding, its own record names the target's rows alone.
    record("source_embedding.output", rows)
    memory = parts.encoder(rows, **checks.given(mask=keys, positions=positions))
    record("encoder.output", memory)
    if cache is not None:
        cache.memory = memory
    return memory, keys


def _scored(parts: Any, config: Configuration, hidden: Array, record: Record) -> Array:
    tied = {"tokens": parts.embedding.tokens} if config.tied else {}
    scores = parts.head(hidden, **tied)
    record("logits", scores)
    return scores


def _keys(config: Configuration, ids: Array, mask: Array | None) -> Array | None:
    if mask is not None:
        return mask[..., None, :]
    return None if config.padding_id is None else padding_mask(ids, config.padding_id)


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
    length = cache_length(config, cache)
    if cache is not None and length > 0 and length >= ids.shape[-1]:
        raise ValueError(
            f"ids must go on where the cache ends, at {length}, got {checks.shape_of(ids)}"
        )


def _check_positions(config: Configuration, ids: Array, positions: Array | None) -> None:
    if positions is None:
        return
    xp = checks.namespace(ids=ids, positions=positions)
    checks.integers(xp, positions=positions)
    checks.exact_shape(tuple(ids.shape), positions=positions)
    if config.position in ("alibi", "t5"):
        raise ValueError(f"positions must be None with {config.position!r}, which counts rows")
