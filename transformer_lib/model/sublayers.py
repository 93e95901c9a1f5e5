"""The sub-layers that a configuration asks for, on arrays by name: of numpy, or a module's own."""

from collections.abc import Callable
from functools import partial
from types import ModuleType

from transformer_lib.formulas import checks
from transformer_lib.formulas.activation import (
    gelu_tanh_unchecked,
    gelu_unchecked,
    relu_unchecked,
    silu_unchecked,
)
from transformer_lib.formulas.attention import check_mask
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.feed_forward import (
    FeedForwardSteps,
    SwiGLUSteps,
    feed_forward_unchecked,
    gated_unchecked,
)
from transformer_lib.formulas.head import pooled_unchecked
from transformer_lib.formulas.linear import linear_unchecked
from transformer_lib.formulas.multi_head import Attend, MultiHeadSteps, multi_head_unchecked
from transformer_lib.formulas.normalization import layer_norm_unchecked, rms_norm_unchecked
from transformer_lib.model.cache import KeyValues
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED

ACTIVATIONS = {
    "relu": relu_unchecked,
    "gelu": gelu_unchecked,
    "gelu_tanh": gelu_tanh_unchecked,
    "silu": silu_unchecked,
    "swiglu": silu_unchecked,
    "geglu": gelu_unchecked,
    "geglu_tanh": gelu_tanh_unchecked,
}
Arrays = dict[str, Array]


def attention_of(
    arrays: Arrays,
    config: Configuration,
    X: Array,
    memory: Array | None = None,
    mask: Array | None = None,
    *,
    bias: Array | None = None,
    positions: Array | None = None,
    cache: KeyValues | None = None,
    attend: Attend | None = None,
) -> MultiHeadSteps:
    """Let the rows of X attend to each other, or to the rows of a memory.

    Raises:
        ValueError: rows are not d_model wide, or the mask is not boolean or does not fit.
    """
    xp = check_rows(config, X=X, **checks.given(memory=memory))
    own, kept = memory is None, 0 if cache is None else cache.kept
    M = X if memory is None else memory
    if not own and kept:
        M = M[..., :0, :]  # the cache holds all keys of the memory: no row of it is new
    window = config.window if own else None
    if window is not None:  # a cache has dropped the rows that stand before it
        mask, bias = (_last(kept + M.shape[-2], x) for x in (mask, bias))
    _check_shapes(xp, config, X, M, mask, bias, kept)
    return multi_head_unchecked(
        xp,
        X,
        M,
        **arrays,
        h=config.heads,
        h_kv=config.h_kv,
        mask=mask,
        bias=bias,
        divisor=None if config.scale_scores else 1.0,
        rotary_base=config.base if own and config.position == "rotary" else None,
        rotary_halves=config.halves,
        positions=positions,
        offset=0 if cache is None else cache.length,
        extend=None if cache is None else partial(cache.extend, window=window),
        attend=attend,
    )


def feed_forward_of(
    arrays: Arrays,
    config: Configuration,
    X: Array,
    activation: Callable[[Array], Array] | None = None,
) -> FeedForwardSteps | SwiGLUSteps:
    """Compute each row on its own, with the activation of the configuration or one that equals it.

    Raises:
        ValueError: rows are not d_model wide.
    """
    xp = check_rows(config, X=X)
    if activation is None:
        activation = partial(ACTIVATIONS[config.activation], xp)
    if config.activation in GATED:
        return gated_unchecked(X, **arrays, activation=activation)
    return feed_forward_unchecked(X, **arrays, activation=activation)


def norm_of(arrays: Arrays, config: Configuration, X: Array) -> Array:
    """Normalize rows as the configuration says.

    Raises:
        ValueError: rows are not d_model wide.
    """
    xp = check_rows(config, X=X)
    if config.norm == "rms":
        return rms_norm_unchecked(xp, X, **arrays, eps=config.eps)
    return layer_norm_unchecked(xp, X, **arrays, eps=config.eps).output


def head_of(
    arrays: Arrays,
    config: Configuration,
    hidden: Array,
    tokens: Array | None = None,
    *,
    norm: Callable[[Array], Array] | None = None,
) -> Array:
    """Score every token of the vocabulary, by the embedding itself where the head is tied to it.

    Raises:
        ValueError: there is no head, rows are not d_model wide, or the head is tied and there are
            no tokens.
    """
    if config.headless:
        raise ValueError(
            "the model has no head: config.headless is set, as where its files held none, so there "
            "are no logits; `hidden` gives the last rows"
        )
    xp = check_rows(config, hidden=hidden)
    if norm is not None:
        dense = linear_unchecked(hidden, arrays["W_dense"], arrays["b_dense"])
        hidden = norm(ACTIVATIONS[config.head_activation or config.activation](xp, dense))
    if config.scale_head:
        hidden = hidden / config.d_model**0.5
    if config.tied and tokens is None:
        raise ValueError("tokens must be the embedding matrix of a tied head, got None")
    W = arrays["W"] if tokens is None or not config.tied else tokens.mT
    return linear_unchecked(hidden, W, arrays.get("b"))


def classifier_of(arrays: Arrays, config: Configuration, hidden: Array) -> Array:
    """Score every class of a text by its first row.

    Raises:
        ValueError: rows are not d_model wide.
    """
    xp = check_rows(config, hidden=hidden)
    pooled = pooled_unchecked(xp, hidden, arrays["W_pool"], arrays["b_pool"])
    return linear_unchecked(pooled, arrays["W"], arrays["b"])


def check_rows(config: Configuration, **rows: Array) -> ModuleType:
    """Return the library of arrays of rows, or raise ValueError where they are not d_model wide."""
    xp = checks.namespace(**rows)
    checks.at_least_rank(2, **rows)
    for name, array in rows.items():
        checks.exact_shape((*array.shape[:-1], config.d_model), **{name: array})
    checks.real(xp, **rows)
    return xp


def _last(n_k: int, scores: Array | None) -> Array | None:
    """Return the columns of the last keys of a mask or a bias; one column stands for all."""
    return scores if scores is None or scores.shape[-1] <= n_k else scores[..., -n_k:]


def _check_shapes(
    xp: ModuleType,
    config: Configuration,
    X: Array,
    M: Array,
    mask: Array | None,
    bias: Array | None,
    kept: int,
) -> None:
    if mask is None and bias is None:
        return
    batch = checks.batch_shape(X=X, M=M)
    shape = (*batch, X.shape[-2], kept + M.shape[-2])
    check_mask(xp, shape, mask)
    if bias is not None:
        checks.broadcasts_to((*batch, config.heads, *shape[-2:]), bias=bias)
