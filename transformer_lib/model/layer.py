"""Encoder and decoder layers as functions of a dictionary of parameters."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from jaxtyping import Bool, Float, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import AttentionSteps, attention_steps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.mask import causal_mask, combine_masks
from transformer_lib.formulas.sublayer import SublayerSteps, sublayer_steps
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import (
    Parameters,
    attention_from,
    feed_forward_from,
    norm_from,
)

Dropout = Callable[[Array], Array]
Attend = Callable[..., AttentionSteps]


class LayerPast(NamedTuple):
    """The keys and values, each (..., h, n, d_k), that a layer need not compute again."""

    own: tuple[Array, Array]
    cross: tuple[Array, Array] | None


class LayerSteps(NamedTuple):
    """The sub-layers of a layer in order; `cross_attention` is None without a memory."""

    self_attention: SublayerSteps
    cross_attention: SublayerSteps | None
    feed_forward: SublayerSteps
    output: Array

    @property
    def past(self) -> LayerPast:
        """The keys and values that decoding goes on with."""
        own, cross = self.self_attention.inner, self.cross_attention
        return LayerPast((own.K, own.V), cross and (cross.inner.K, cross.inner.V))


def layer_steps(
    parameters: Parameters,
    config: Configuration,
    X: Num[Array, "... n d_model"],
    memory: Num[Array, "... n_memory d_model"] | None = None,
    *,
    mask: Bool[Array, "..."] | None = None,
    memory_mask: Bool[Array, "..."] | None = None,
    bias: Num[Array, "..."] | None = None,
    past: LayerPast | None = None,
    prefix: str = "",
    dropout: Dropout | None = None,
    attend: Attend = attention_steps,
) -> LayerSteps:
    """Run one layer, self-attention, cross-attention if there is a memory, feed-forward.

    Args:
        parameters: arrays by name. A layer reads, after `prefix`, "self_attention.W_Q" and so on,
            "cross_attention.W_Q", "feed_forward.W_1", and "self_attention_norm.gain" and so on.
        config: the shape of the model.
        X: the residual stream, (..., n, d_model).
        memory: what the encoder put out, (..., n_memory, d_model), or None.
        mask: of self-attention, broadcasts to (..., n, n), or None to attend to all.
        memory_mask: of cross-attention, broadcasts to (..., n, n_memory), or None.
        bias: on the scores of self-attention, broadcasts to (..., h, n, n), or None.
        past: the keys and values of the rows before X; `mask` and `bias` then cover those, too.
        prefix: what this layer's names start with.
        dropout: applied to what each sub-layer adds.
        attend: what computes each head, with the arguments and steps of `attention_steps`.

    Raises:
        ValueError: a parameter is missing or has another shape, or as the formulas.

    Source: Vaswani et al. (2017), section 3.1.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=5, d_model=2, heads=1, d_ff=2, bias=False, place="pre"
    ... )
    >>> names = [f"self_attention.W_{x}" for x in "QKVO"] + ["feed_forward.W_1", "feed_forward.W_2"]
    >>> zeros = {name: np.zeros((2, 2)) for name in names}
    >>> gains = {f"{name}_norm.gain": np.ones(2) for name in ("self_attention", "feed_forward")}
    >>> layer_steps(zeros | gains, config, np.array([[1.0, 2.0]])).output
    array([[1., 2.]])
    """
    given = {"X": X, **checks.given(memory=memory)}
    xp = checks.namespace(**given)
    checks.at_least_rank(2, **given)
    checks.real(xp, **given)
    for name, rows in given.items():
        checks.exact_shape((*rows.shape[:-1], config.d_model), **{name: rows})
    attention = partial(attention_from, parameters, config, attend=attend)

    def attend_to_self(x: Array) -> Any:
        base = config.base if config.position == "rotary" else None
        own = past and past.own
        options = {"mask": mask, "bias": bias, "rotary_base": base, "past": own}
        return attention(f"{prefix}self_attention.", x, x, **options)

    def attend_to_memory(x: Array) -> Any:
        cross = past and past.cross
        # With all keys of the memory in the past, no row of it is new.
        rows = memory[..., :0, :] if cross else memory  # type: ignore[index]
        return attention(f"{prefix}cross_attention.", x, rows, mask=memory_mask, past=cross)

    def around(rows: Array, name: str, f: Callable[[Array], Any]) -> SublayerSteps:
        norm = norm_from(parameters, config, f"{prefix}{name}_norm.")
        return sublayer_steps(rows, f, norm, config.place, dropout=dropout)

    own = around(X, "self_attention", attend_to_self)
    cross = None
    if memory is not None:
        cross = around(own.output, "cross_attention", attend_to_memory)
    forward = partial(feed_forward_from, parameters, config, f"{prefix}feed_forward.")
    final = around((cross or own).output, "feed_forward", forward)
    return LayerSteps(own, cross, final, final.output)


def encoder_layer(
    parameters: Parameters,
    config: Configuration,
    X: Num[Array, "... n d_model"],
    mask: Bool[Array, "..."] | None = None,
    *,
    prefix: str = "",
) -> Float[Array, "... n d_model"]:
    """Return the residual stream after self-attention and feed-forward: see `layer_steps`.

    Args:
        parameters: arrays by name, as `layer_steps` reads them.
        config: the shape of the model.
        X: the residual stream, (..., n, d_model).
        mask: broadcasts to (..., n, n), such as a padding mask, or None to attend to all.
        prefix: what this layer's names start with.

    Raises:
        ValueError: as `layer_steps`.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=5, d_model=2, heads=1, d_ff=2, bias=False, place="pre"
    ... )
    >>> names = [f"self_attention.W_{x}" for x in "QKVO"] + ["feed_forward.W_1", "feed_forward.W_2"]
    >>> zeros = {name: np.zeros((2, 2)) for name in names}
    >>> gains = {f"{name}_norm.gain": np.ones(2) for name in ("self_attention", "feed_forward")}
    >>> encoder_layer(zeros | gains, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    return layer_steps(parameters, config, X, mask=mask, prefix=prefix).output


def decoder_layer(
    parameters: Parameters,
    config: Configuration,
    X: Num[Array, "... n d_model"],
    memory: Num[Array, "... n_memory d_model"] | None = None,
    mask: Bool[Array, "..."] | None = None,
    *,
    memory_mask: Bool[Array, "..."] | None = None,
    prefix: str = "",
) -> Float[Array, "... n d_model"]:
    """Return the residual stream after masked self-attention, cross-attention and feed-forward.

    Args:
        parameters: arrays by name, as `layer_steps` reads them.
        config: the shape of the model.
        X: the residual stream, (..., n, d_model).
        memory: what the encoder put out, or None in a model without an encoder.
        mask: joins the causal mask, which is always there; broadcasts to (..., n, n).
        memory_mask: of cross-attention, broadcasts to (..., n, n_memory).
        prefix: what this layer's names start with.

    Raises:
        ValueError: as `layer_steps`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=5, d_model=2, heads=1, d_ff=2, bias=False, place="pre"
    ... )
    >>> names = [f"self_attention.W_{x}" for x in "QKVO"] + ["feed_forward.W_1", "feed_forward.W_2"]
    >>> zeros = {name: np.zeros((2, 2)) for name in names}
    >>> gains = {f"{name}_norm.gain": np.ones(2) for name in ("self_attention", "feed_forward")}
    >>> decoder_layer(zeros | gains, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    checks.namespace(X=X, **checks.given(mask=mask))
    checks.at_least_rank(2, X=X)
    joined = combine_masks(causal=causal_mask(X.shape[-2], like=X), mask=mask)
    return layer_steps(
        parameters, config, X, memory, mask=joined, memory_mask=memory_mask, prefix=prefix
    ).output
