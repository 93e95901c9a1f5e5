"""The stacks: encoder and decoder as functions of a dictionary of parameters."""

from typing import Any, NamedTuple

from jaxtyping import Bool, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import attention_steps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.mask import causal_mask, combine_masks
from transformer_lib.formulas.position_bias import alibi_bias, relative_bias, relative_buckets
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.layer import Attend, Dropout, LayerPast, LayerSteps, layer_steps
from transformer_lib.model.parameters import Parameters, norm_from, relative_shapes, take


class StackSteps(NamedTuple):
    """The steps of an encoder or a decoder after its embedding."""

    layers: tuple[LayerSteps, ...]
    output: Array  # after the last norm, if norms stand before the sub-layers


def encoder_steps(
    parameters: Parameters,
    config: Configuration,
    X: Num[Array, "... n d_model"],
    mask: Bool[Array, "..."] | None = None,
    *,
    prefix: str = "encoder.",
    dropout: Dropout | None = None,
    attend: Attend = attention_steps,
) -> StackSteps:
    """Run all layers of the encoder on embedded tokens.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        mask: broadcasts to (..., n, n), such as a padding mask, or None to attend to all.
        prefix: what the names start with.
        dropout: applied to what each sub-layer adds.
        attend: what computes each head.

    Raises:
        ValueError: as `layer_steps`.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> config = Configuration(kind="encoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> encoder_steps({}, config, np.array([[1.0, 2.0]])).output
    array([[1., 2.]])
    """
    checks.namespace(X=X)
    checks.at_least_rank(2, X=X)
    bias = _bias(parameters, config, X, prefix=prefix, bidirectional=True)
    options: dict[str, Any] = {"mask": mask, "bias": bias, "dropout": dropout, "attend": attend}
    return _layers(parameters, config, X, None, prefix, (), options)


def decoder_steps(
    parameters: Parameters,
    config: Configuration,
    X: Num[Array, "... n d_model"],
    memory: Num[Array, "... n_memory d_model"] | None = None,
    mask: Bool[Array, "..."] | None = None,
    *,
    memory_mask: Bool[Array, "..."] | None = None,
    past: tuple[LayerPast, ...] = (),
    prefix: str = "decoder.",
    dropout: Dropout | None = None,
    attend: Attend = attention_steps,
) -> StackSteps:
    """Run all layers of the decoder on embedded tokens, under the causal mask.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        memory: what the encoder put out, (..., n_memory, d_model), or None.
        mask: joins the causal mask, broadcasts to (..., n, n_past + n), or None.
        memory_mask: of cross-attention, broadcasts to (..., n, n_memory), or None.
        past: for each layer the keys and values of the n_past rows before X, or nothing.
        prefix: what the names start with.
        dropout: applied to what each sub-layer adds.
        attend: what computes each head.

    Raises:
        ValueError: `past` does not have one entry a layer, or as `layer_steps`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> config = Configuration(kind="decoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> decoder_steps({}, config, np.array([[1.0, 2.0]])).output
    array([[1., 2.]])
    """
    checks.namespace(X=X, **checks.given(mask=mask))
    checks.at_least_rank(2, X=X)
    if past and len(past) != config.layers:
        raise ValueError(f"past must have one entry a layer, {config.layers}, got {len(past)}")
    offset = past[0].own[0].shape[-2] if past else 0
    causal = causal_mask(X.shape[-2], like=X, offset=offset)
    bias = _bias(parameters, config, X, prefix=prefix, offset=offset)
    joined = combine_masks(causal=causal, mask=mask)
    options: dict[str, Any] = {"mask": joined, "memory_mask": memory_mask, "bias": bias}
    options |= {"dropout": dropout, "attend": attend}
    return _layers(parameters, config, X, memory, prefix, past, options)


def _bias(
    parameters: Parameters,
    config: Configuration,
    X: Array,
    *,
    prefix: str,
    offset: int = 0,
    bidirectional: bool = False,
) -> Array | None:
    n_q, n_k = X.shape[-2], offset + X.shape[-2]
    if config.position == "alibi":
        return alibi_bias(n_q, n_k, config.heads, like=X, offset=offset)
    if config.position != "t5":
        return None
    table = take(parameters, relative_shapes(config), prefix)["relative_positions"]
    buckets = relative_buckets(
        n_q,
        n_k,
        like=X,
        bidirectional=bidirectional,
        buckets=config.buckets,
        max_distance=config.max_distance,
        offset=offset,
    )
    return relative_bias(table, buckets)


def _layers(
    parameters: Parameters,
    config: Configuration,
    X: Array,
    memory: Array | None,
    prefix: str,
    past: tuple[LayerPast, ...],
    options: dict[str, Any],
) -> StackSteps:
    layers = []
    for i in range(config.layers):
        options |= {"past": past[i] if past else None, "prefix": f"{prefix}layers.{i}."}
        layers.append(layer_steps(parameters, config, X, memory, **options))
        X = layers[-1].output
    last = norm_from(parameters, config, f"{prefix}norm.") if config.place == "pre" else None
    return StackSteps(tuple(layers), last(X) if last else X)
