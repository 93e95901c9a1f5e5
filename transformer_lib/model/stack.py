"""The stacks as functions of a dictionary of parameters, with the bias of their positions."""

from collections.abc import Callable
from functools import partial

from jaxtyping import Bool, Float, Int, Num

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.multi_head import Attend
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.position_bias import (
    alibi_bias,
    relative_bias,
    relative_buckets,
)
from transformer_lib.formulas.record import Record, ignore, under
from transformer_lib.formulas.stack import decoder_stack, encoder_stack
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.layer import layer
from transformer_lib.model.parameters import Parameters, norm_shapes, relative_shapes, take
from transformer_lib.model.sublayers import check_masked, norm_of


def encoder(
    parameters: Parameters,
    config: Configuration,
    X: Num[Operand, "... n d_model"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    positions: Int[Operand, "..."] | None = None,
    prefix: str = "encoder.",
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Run all layers of the encoder on embedded tokens.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        mask: broadcasts to (..., n, n), such as a padding mask, or None to attend to all.
        positions: for rotary positions that do not count from 0, (..., n), or None.
        prefix: what the names start with.
        attend: what computes each head.
        record: told of every intermediate by name.

    Raises:
        ValueError: as `layer`.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> config = Configuration(kind="encoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> encoder({}, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    check_masked(config, X, mask=mask)
    layers = _layers(parameters, config, prefix, attend, record)
    bias = position_bias(config, X, _table(parameters, config, prefix), bidirectional=True)
    norm = _last_norm(parameters, config, prefix)
    return encoder_stack.formula(X, layers, norm, mask=mask, bias=bias, positions=positions)


def decoder(
    parameters: Parameters,
    config: Configuration,
    X: Num[Operand, "... n d_model"],
    memory: Num[Operand, "... n_memory d_model"] | None = None,
    mask: Bool[Operand, "..."] | None = None,
    *,
    memory_mask: Bool[Operand, "..."] | None = None,
    positions: Int[Operand, "..."] | None = None,
    cache: Cache | None = None,
    prefix: str = "decoder.",
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Run all layers of the decoder on embedded tokens, under the causal mask.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        memory: what the encoder put out, (..., n_memory, d_model), or None.
        mask: joins the causal mask, broadcasts to (..., n, n_past + n), or None.
        memory_mask: of cross-attention, broadcasts to (..., n, n_memory), or None.
        positions: for rotary positions that do not count from n_past, (..., n), or None.
        cache: the keys and values of the n_past rows before X, which the call adds to, or None.
        prefix: what the names start with.
        attend: what computes each head.
        record: told of every intermediate by name.

    Raises:
        ValueError: the cache does not have one entry per layer, or as `layer`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> config = Configuration(kind="decoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> decoder({}, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    layers = _layers(parameters, config, prefix, attend, record)
    n_past = cache_length(config.layers, cache)
    check_masked(config, X, memory, mask=mask, memory_mask=memory_mask, n_past=n_past)
    return decoder_stack.formula(
        X,
        layers,
        _last_norm(parameters, config, prefix),
        memory=memory,
        mask=mask,
        memory_mask=memory_mask,
        bias=position_bias(config, X, _table(parameters, config, prefix), n_past=n_past),
        positions=positions,
        caches=None if cache is None else cache.layers,
        n_past=n_past,
        window=config.window,
    )


def cache_length(layers: int, cache: Cache | None) -> int:
    """Return how many rows a cache holds, or raise ValueError where it is of other layers."""
    if cache is None:
        return 0
    if len(cache.layers) != layers:
        raise ValueError(f"cache must have one entry per layer, {layers}, got {len(cache.layers)}")
    return cache.length


def position_bias(
    config: Configuration,
    X: Array,
    table: Array,
    *,
    n_past: int = 0,
    bidirectional: bool = False,
) -> Array | None:
    """Return what ALiBi or T5 adds to the scores of each head, (h, n, n_past + n), or None."""
    n_q, n_k = X.shape[-2], n_past + X.shape[-2]
    if config.position == "alibi":
        return alibi_bias.formula(n_q, n_k, config.heads, like=X, offset=n_past)
    if config.position != "t5":
        return None
    buckets = relative_buckets.formula(
        n_q,
        n_k,
        like=X,
        bidirectional=bidirectional,
        buckets=config.buckets,
        max_distance=config.max_distance,
        offset=n_past,
    )
    return relative_bias.formula(table, buckets)


def _layers(
    parameters: Parameters,
    config: Configuration,
    prefix: str,
    attend: Attend | None,
    record: Record,
) -> list[Callable[..., Array]]:
    names = [f"{prefix}layers.{i}." for i in range(config.layers)]
    run = partial(layer, parameters, config, attend=attend)
    return [partial(run, prefix=name, record=under(record, name)) for name in names]


def _table(parameters: Parameters, config: Configuration, prefix: str) -> Array | None:
    return take(parameters, relative_shapes(config), prefix).get("relative_positions")


def _last_norm(
    parameters: Parameters, config: Configuration, prefix: str
) -> Callable[[Array], Array] | None:
    if config.place == "post":
        return None
    arrays = take(parameters, norm_shapes(config), f"{prefix}norm.")
    return lambda rows: norm_of(arrays, config, rows)
