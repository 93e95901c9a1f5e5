"""The sub-layers that a configuration asks for, on arrays by name: of numpy, or a module's own."""

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
    swiglu_unchecked,
)
from transformer_lib.formulas.linear import linear_unchecked
from transformer_lib.formulas.multi_head import Attend, MultiHeadSteps, multi_head_unchecked
from transformer_lib.formulas.normalization import layer_norm_unchecked, rms_norm_unchecked
from transformer_lib.model.cache import KeyValues
from transformer_lib.model.configuration import Configuration

ACTIVATIONS = {
    "relu": relu_unchecked,
    "gelu": gelu_unchecked,
    "gelu_tanh": gelu_tanh_unchecked,
    "silu": silu_unchecked,
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
    own, past = memory is None, None if cache is None else cache.past
    M = X if memory is None else memory
    if not own and past:
        M = M[..., :0, :]  # the past holds all keys of the memory: no row of it is new
    _check_shapes(xp, config, X, M, mask, bias, past)
    steps = multi_head_unchecked(
        xp,
        X,
        M,
        **arrays,
        h=config.heads,
        mask=mask,
        bias=bias,
        rotary_base=config.base if own and config.position == "rotary" else None,
        positions=positions,
        past=past,
        attend=attend,
    )
    if cache is not None:
        cache.keep(steps.K, steps.V)
    return steps


def feed_forward_of(
    arrays: Arrays, config: Configuration, X: Array
) -> FeedForwardSteps | SwiGLUSteps:
    """Compute each row on its own, with the activation of the configuration.

    Raises:
        ValueError: rows are not d_model wide.
    """
    xp = check_rows(config, X=X)
    if config.activation == "swiglu":
        return swiglu_unchecked(xp, X, **arrays)
    activation = partial(ACTIVATIONS[config.activation], xp)
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
    arrays: Arrays, config: Configuration, hidden: Array, tokens: Array | None = None
) -> Array:
    """Score every token of the vocabulary, by the embedding itself where the head is tied to it.

    Raises:
        ValueError: rows are not d_model wide, or the head is tied and there are no tokens.
    """
    check_rows(config, hidden=hidden)
    if not config.tied:
        return linear_unchecked(hidden, arrays["W"], arrays.get("b"))
    if tokens is None:
        raise ValueError("tokens must be the embedding matrix of a tied head, got None")
    return linear_unchecked(hidden, tokens.mT)


def check_rows(config: Configuration, **rows: Array) -> ModuleType:
    """Return the library of arrays of rows, or raise ValueError where they are not d_model wide."""
    xp = checks.namespace(**rows)
    checks.at_least_rank(2, **rows)
    for name, array in rows.items():
        checks.exact_shape((*array.shape[:-1], config.d_model), **{name: array})
    checks.real(xp, **rows)
    return xp


def _check_shapes(
    xp: ModuleType,
    config: Configuration,
    X: Array,
    M: Array,
    mask: Array | None,
    bias: Array | None,
    past: tuple[Array, Array] | None,
) -> None:
    if mask is None and bias is None:
        return
    n_past = past[0].shape[-2] if past else 0
    batch = checks.batch_shape(X=X, M=M)
    shape = (*batch, X.shape[-2], n_past + M.shape[-2])
    check_mask(xp, shape, mask)
    if bias is not None:
        checks.broadcasts_to((*batch, config.heads, *shape[-2:]), bias=bias)
