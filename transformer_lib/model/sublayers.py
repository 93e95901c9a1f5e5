"""The sub-layers that a configuration asks for, on arrays by name: of numpy, or a module's own."""

from collections.abc import Callable
from functools import partial

from transformer_lib.formulas import checks
from transformer_lib.formulas.activation import gelu, relu, silu
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.feed_forward import (
    FeedForwardSteps,
    SwiGLUSteps,
    feed_forward_steps,
    swiglu_steps,
)
from transformer_lib.formulas.head import pooled
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.multi_head import (
    Attend,
    MultiHeadSteps,
    multi_head_attention_steps,
)
from transformer_lib.formulas.normalization import layer_norm_steps, rms_norm
from transformer_lib.model.cache import KeyValues
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED

gelu_tanh = partial(gelu.formula, tanh=True)
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": relu.formula,
    "gelu": gelu.formula,
    "gelu_tanh": gelu_tanh,
    "silu": silu.formula,
    "swiglu": silu.formula,
    "geglu": gelu.formula,
    "geglu_tanh": gelu_tanh,
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
    """Let the rows of X attend to each other, or to the rows of a memory."""
    own, kept = memory is None, 0 if cache is None else cache.kept
    M = X if memory is None else memory
    if not own and kept:
        M = M[..., :0, :]  # the cache holds all keys of the memory: no row of it is new
    window = config.window if own else None
    if window is not None:  # a cache has dropped the rows that stand before it
        mask, bias = (_last(kept + M.shape[-2], x) for x in (mask, bias))
    rotary = own and config.position == "rotary"
    if rotary and cache is not None and positions is None:
        n_past = cache.length
        positions = checks.library(X).arange(n_past, n_past + X.shape[-2], device=X.device)
    return multi_head_attention_steps.formula(
        X,
        M,
        **arrays,
        mask=mask,
        h=config.heads,
        h_kv=config.h_kv,
        bias=bias,
        divisor=None if config.scale_scores else 1.0,
        rotary_base=config.base if rotary else None,
        rotary_halves=config.halves,
        positions=positions,
        past=None if cache is None else partial(cache.extend, window=window),
        attend=attend,
    )


def feed_forward_of(
    arrays: Arrays,
    config: Configuration,
    X: Array,
    activation: Callable[[Array], Array] | None = None,
) -> FeedForwardSteps | SwiGLUSteps:
    """Compute each row on its own, with the configuration's activation or one that equals it."""
    activation = activation or ACTIVATIONS[config.activation]
    if config.activation in GATED:
        return swiglu_steps.formula(X, **arrays, activation=activation)
    return feed_forward_steps.formula(X, **arrays, activation=activation)


def norm_of(arrays: Arrays, config: Configuration, X: Array) -> Array:
    """Normalize rows as the configuration says."""
    if config.norm == "rms":
        return rms_norm.formula(X, **arrays, eps=config.eps)
    return layer_norm_steps.formula(X, **arrays, eps=config.eps).output


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
    check_rows(config, hidden=hidden)
    if norm is not None:
        dense = linear.formula(hidden, arrays["W_dense"], arrays["b_dense"])
        hidden = norm(ACTIVATIONS[config.head_activation or config.activation](dense))
    if config.scale_head:
        hidden = hidden / config.d_model**0.5
    if config.tied and tokens is None:
        raise ValueError("tokens must be the embedding matrix of a tied head, got None")
    W = arrays["W"] if tokens is None or not config.tied else tokens.mT
    return linear.formula(hidden, W, arrays.get("b"))


def classifier_of(arrays: Arrays, config: Configuration, hidden: Array) -> Array:
    """Score every class of a text by its first row.

    Raises:
        ValueError: rows are not d_model wide.
    """
    check_rows(config, hidden=hidden)
    first = pooled.formula(hidden, arrays["W_pool"], arrays["b_pool"])
    return linear.formula(first, arrays["W"], arrays["b"])


def check_rows(config: Configuration, **rows: Array) -> None:
    """Raise ValueError unless arrays hold rows that are d_model wide."""
    xp = checks.namespace(**rows)
    checks.at_least_rank(2, **rows)
    for name, array in rows.items():
        checks.exact_shape((*array.shape[:-1], config.d_model), **{name: array})
    checks.real(xp, **rows)


def check_masked(
    config: Configuration,
    X: Array,
    memory: Array | None = None,
    *,
    mask: Array | None = None,
    memory_mask: Array | None = None,
    bias: Array | None = None,
    n_past: int = 0,
) -> None:
    """Raise ValueError unless rows are d_model wide and masks and bias fit their scores."""
    masks = checks.given(mask=mask, memory_mask=memory_mask)
    xp = checks.namespace(X=X, **checks.given(memory=memory, bias=bias), **masks)
    check_rows(config, X=X, **checks.given(memory=memory))
    checks.boolean(xp, **masks)
    batch, n = tuple(X.shape[:-2]), X.shape[-2]
    checks.broadcasts_to((*batch, n, n_past + n), **checks.given(mask=mask))
    checks.broadcasts_to((*batch, config.heads, n, n_past + n), **checks.given(bias=bias))
    if memory is not None:
        batch = checks.batch_shape({"X": batch, "memory": memory.shape[:-2]}, X=X, memory=memory)
        read = (*batch, n, memory.shape[-2])
        checks.broadcasts_to(read, **checks.given(memory_mask=memory_mask))


def _last(n_k: int, scores: Array | None) -> Array | None:
    """Return the columns of the last keys of a mask or a bias; one column stands for all."""
    return scores if scores is None or scores.shape[-1] <= n_k else scores[..., -n_k:]
