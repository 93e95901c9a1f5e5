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
    source_positions: Int[Operand, "... n_source"] | None = None,
    types: Int[Operand, "... n"] | None = None,
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
        source_positions: the same of the source.
        types: the type of each id, such as the sentence of a pair it is in, (..., n), in a model
            that has types; all 0 unless given.
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
    where = {"positions": positions, "source_positions": source_positions, "types": types}
    masks = {"mask": mask, "source_mask": source_mask}
    return compose(parts, config, ids, source, **masks, **where, cache=cache, record=record)


def classify(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    *,
    attend: Attend | None = None,
    record: Record = ignore,
    **options: Array | None,
) -> Float[Array, "... classes"]:
    """Return a score for each class of a whole text, such as whether two sentences belong together.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of an encoder with classes.
        ids: token ids, (..., n); the first stands for the text.
        attend: what computes each head in the place of `attention_steps`.
        record: told of every intermediate by name.
        options: `mask`, `positions` and `types` of `forward`.

    Raises:
        ValueError: the model has no classes, or as `forward`.

    Source: Devlin et al. (2019), section 3.1, task 2 (next-sentence prediction).

    >>> import numpy as np
    >>> from transformer_lib.model.parameters import parameter_shapes
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=2, d_model=2, heads=1, layers=0, classes=3
    ... )
    >>> ones = {name: np.ones(shape) for name, shape in parameter_shapes(config).items()}
    >>> classify(ones, config, np.array([1, 0])).round(4)
    array([2.9997, 2.9997, 2.9997])
    """
    parts = bound(parameters, config, attend, record)
    return compose_classes(parts, config, ids, **options, record=record)


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
    hidden = _hidden(parts, config, ids, source, record=record, **options)
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
    scores = parts.classifier(_hidden(parts, config, ids, record=record, **options))
    record("classes", scores)
    return scores


def _hidden(
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
    """Return the last rows of a model, which a head scores."""
    _check(config, ids, source, mask, source_mask, cache)
    positions = _positions(config, ids, mask, positions)
    if not config.has_decoder:
        keys = _keys(config, ids, mask)
        rows = parts.embedding(ids, positions=positions, types=types)
        hidden = parts.encoder(rows, **checks.given(mask=keys, positions=positions))
        record("encoder.output", hidden)
        return hidden
    memory, memory_mask = _read(parts, config, source, source_mask, source_positions, cache, record)
    first = cache_length(config, cache)
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
