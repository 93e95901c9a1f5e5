"""From a stack to the softmax: the arrays and options that each formula receives.

    Stack:        for layer in layers: X = layer(X)
    Block:        X = X + self_attention(norm(X)); X = X + feed_forward(norm(X))
    Attention:    softmax(Q K^T / sqrt(d_k)) V in h heads
    FeedForward:  f(X W_1 + b_1) W_2 + b_2

This code is written once, and the parts of plain arrays (`model/plain.py`) and the torch modules
(`nn/block.py`) inherit it.

A part has a `config`, a `record`, its `arrays()` by name and, as attributes, the parts in it. Those
parts are only called and never inspected, so any replacement for one of them also runs.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from inspect import signature
from itertools import repeat
from typing import Any, NamedTuple
from warnings import warn

from transformer_lib.formulas import checks
from transformer_lib.formulas.activation import gelu, relu, silu
from transformer_lib.formulas.attention import Attend, MultiHeadSteps, multi_head_attention_steps
from transformer_lib.formulas.block import (
    Sublayer,
    feed_forward_steps,
    in_turn,
    swiglu_steps,
)
from transformer_lib.formulas.checks import Array, library
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.mask import causal_mask
from transformer_lib.formulas.normalization import layer_norm_steps, rms_norm
from transformer_lib.formulas.record import Record, ignore, one_by_one, passed
from transformer_lib.formulas.rotary import turns
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.context import Context
from transformer_lib.model.entry import check_rows, to_attention, to_block, to_stack
from transformer_lib.model.parameters import GATED
from transformer_lib.model.position_bias import position_bias

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


def norm_of(arrays: dict[str, Array], config: Configuration, X: Array) -> Array:
    """Normalize rows as the configuration specifies."""
    if config.norm == "rms":
        return rms_norm.formula(X, **arrays, eps=config.eps)
    return layer_norm_steps.formula(X, **arrays, eps=config.eps).output


class Kernels(NamedTuple):
    """The functions with two implementations: the formulas, unless a library has a faster one."""

    attend: Attend | None = None  # in the place of `attention_steps`
    norm: Callable[[dict[str, Array], Configuration, Array], Array] = norm_of
    activations: Mapping[str, Callable[[Array], Array]] = ACTIVATIONS
    causal: bool = False  # `attend` has an argument of that name


EXPLICIT = Kernels()


class Part:
    """The base of all parts, however their arrays are stored; calling a part runs its `forward`."""

    config: Configuration
    record: Record
    kernels: Kernels
    arrays: Callable[[], dict[str, Array]]
    __call__: Callable[..., Array]
    check_dtype: Callable[..., None]


def seeing(part: Callable[..., Array], context: Context) -> Callable[[Array], Array]:
    """Return a part with its context fixed, as a function of its rows only."""
    if not isinstance(part, Part):
        names = signature(getattr(part, "forward", part)).parameters
        if "mask" in names and "context" not in names:
            name = type(part).__name__
            warn(f"{name} must take (X, *, context) from the next release on", stacklevel=2)
            given = {name: value for name, value in context._asdict().items() if name in names}
            return partial(part, **checks.given(**given))
    return partial(part, context=context)


class Attention(Part):
    """Attention, in which each row attends to the rows of X or to the rows of a memory."""

    def forward(
        self,
        X: Array,
        memory: Array | None = None,
        mask: Array | None = None,
        *,
        context: Context | None = None,
        **given: Array,
    ) -> Array:
        """Return the output of attention from the rows of X to each other or to the rows of memory.

        Args:
            X: rows, (..., n, d_model).
            memory: rows of another sequence, (..., n_memory, d_model), or None for X itself.
            mask: boolean, broadcasts to (..., n, n_memory), or None to attend to all.
            context: all other inputs in one value, from a caller that has checked them.
            given: `bias`, added to the scores, broadcasts to (..., h, n, n_memory); `positions`,
                (..., n), rotary positions that are not counted from 0; the `cache` of earlier rows.

        Raises:
            ValueError: the rows do not have dimension d_model, or the mask is not boolean.
        """
        if context is None:
            context = to_attention(self.config, X, memory, mask, **given)
            self.check_dtype(X=X, memory=memory)
        steps = self.steps_of(X, context, self.reads(context))
        return passed(self.record, "output", steps.output)

    def reads(self, context: Context) -> Attend | None:
        """Return the function that computes each head, or None for `attention_steps`."""
        attend, fused = self.kernels.attend, self.kernels.causal and context.causal
        return partial(attend, causal=True) if attend and fused else attend

    def steps_of(self, X: Array, context: Context, attend: Attend | None) -> MultiHeadSteps:
        """Return every step of the attention."""
        config, memory, cache = self.config, context.memory, context.cache
        mask, bias, own = context.mask, context.bias, memory is None
        M, window = (X, config.window) if memory is None else (memory, None)
        if cache is not None and not own and cache.kept:
            M = M[..., :0, :]  # the cache holds the keys of the whole memory
        if window is not None and cache is not None:  # which has dropped the rows before the window
            mask, bias = (last(cache.kept + X.shape[-2], x) for x in (mask, bias))
        return multi_head_attention_steps.formula(
            X,
            M,
            **self.arrays(),
            mask=mask,
            h=config.heads,
            h_kv=config.h_kv,
            bias=bias,
            divisor=None if config.scale_scores else 1.0,
            rotary_base=config.base if own and config.position == "rotary" else None,
            rotary_halves=config.halves,
            positions=context.turns or context.positions,
            past=None if cache is None else partial(cache.extend, window=window),
            attend=attend,
            record=self.record,
        )


def last(n_k: int, scores: Array | None) -> Array | None:
    """Return the columns of a mask or bias for the last n_k keys; one column serves all keys."""
    return scores if scores is None or scores.shape[-1] <= n_k else scores[..., -n_k:]


class FeedForward(Part):
    """Compute each row on its own: a projection to d_ff, an activation, and a projection back."""

    def forward(self, X: Array) -> Array:
        """Return rows with the shape of X; raise ValueError if their dimension is not d_model."""
        if X.shape[-1] != self.config.d_model:
            check_rows(self.config, X=X)
        f = self.kernels.activations[self.config.activation]
        formula = swiglu_steps if self.config.activation in GATED else feed_forward_steps
        steps: Any = formula.formula(X, **self.arrays(), activation=f)
        if self.record is ignore:
            return steps.output
        return one_by_one(self.record, steps, partial(_follow, self.arrays(), f)).output


def _follow(arrays: dict[str, Array], f: Callable[[Array], Array], name: str, steps: Any) -> Any:
    """Compute again what comes after one step of a feed-forward layer."""
    gate = getattr(steps, "gate", None)
    if name in ("gate", "hidden"):
        activated = f(steps.hidden) if gate is None else f(gate) * steps.hidden
        steps = steps._replace(activated=activated)
    if name == "output":
        return steps
    return steps._replace(output=linear.formula(steps.activated, arrays["W_2"], arrays.get("b_2")))


class Norm(Part):
    """Layer norm or RMS norm, whichever the configuration specifies."""

    def forward(self, X: Array) -> Array:
        """Return the normalized rows of X; raise ValueError if their dimension is not d_model."""
        if X.shape[-1] != self.config.d_model:
            check_rows(self.config, X=X)
        return self.kernels.norm(self.arrays(), self.config, X)


class Block(Part):
    """Self-attention, cross-attention with a memory, feed-forward, each with residual and norm."""

    self_attention: Attention
    cross_attention: Attention
    feed_forward: FeedForward
    self_attention_norm: Norm
    cross_attention_norm: Norm
    feed_forward_norm: Norm
    dropout: Callable[[Array], Array] | None

    def forward(
        self,
        X: Array,
        memory: Array | None = None,
        mask: Array | None = None,
        *,
        context: Context | None = None,
        **given: Array,
    ) -> Array:
        """Return the residual stream after this block; see `transformer_lib.layer`.

        Args:
            X: the residual stream before this block, (..., n, d_model).
            memory: the output of the encoder, (..., n_memory, d_model), or None.
            mask: the mask of self-attention, broadcasts to (..., n, n), or None to attend to all.
            context: all other inputs in one value, from a caller that has checked them.
            given: `memory_mask`, `bias`, `positions` and `cache` of `transformer_lib.layer`.

        Raises:
            ValueError: the rows do not have dimension d_model, or a mask or bias does not fit.
        """
        if context is None:
            context = to_block(self.config, X, memory, mask, **given)
            self.check_dtype(X=X, memory=memory)
        looks, fed = seeing(self.self_attention, context.own), self.feed_forward
        sublayers = [
            Sublayer(looks, self.self_attention_norm, "attn_out", "resid_mid"),
            Sublayer(fed, self.feed_forward_norm, "mlp_out", "resid_post"),
        ]
        if context.memory is not None:
            reads = seeing(self.cross_attention, context.across)
            norm = self.cross_attention_norm
            sublayers.insert(1, Sublayer(reads, norm, "cross_attn_out", "resid_mid_cross"))
        how: Any = {"place": self.config.place, "dropout": self.dropout, "record": self.record}
        return in_turn(X, sublayers, **how)


class Stack(Part):
    """Blocks that run one after another; only the stack applies the causal mask."""

    layers: Any  # a list of blocks, or torch's
    norm: Norm | None
    sees_all: bool  # an encoder; a decoder sees the past only

    def forward(
        self,
        X: Array,
        memory: Array | None = None,
        mask: Array | None = None,
        *,
        context: Context | None = None,
        **given: Array,
    ) -> Array:
        """Return the rows after all layers; see `transformer_lib.encoder` and `decoder`.

        Args:
            X: embedded tokens, (..., n, d_model).
            memory: the output of the encoder, (..., n_memory, d_model), or None.
            mask: combined with the causal mask of a decoder, broadcasts to (..., n, n_past + n), or
                None.
            context: all other inputs in one value, from a caller that has checked them.
            given: `memory_mask`, `positions` and `cache` of `transformer_lib.decoder`.

        Raises:
            ValueError: the cache does not have one entry per layer, or a block raises it.
        """
        if context is None:
            context = to_stack(self.config, len(self.layers), X, memory, mask, **given)
            self.check_dtype(X=X, memory=memory)
        for layer, seen in self.each(X, context):
            X = seeing(layer, seen)(X)
        return X if self.norm is None else self.norm(X)

    def each(self, X: Array, context: Context) -> Iterable[tuple[Block, Context]]:
        """Return the layers, each with its own context."""
        config, cache, n = self.config, context.cache, X.shape[-2]
        n_past = 0 if cache is None else cache.length
        table = self.arrays().get("relative_positions")  # of T5 alone
        bias = position_bias(config, X, table, n_past=n_past, bidirectional=self.sees_all)
        mask, positions, alone = context.mask, context.positions, False
        if not self.sees_all:
            alone = mask is None and config.window is None
            if n > 1 or not alone:  # one row alone sees all that is before it
                causal = causal_mask.formula(n, offset=n_past, like=X, window=config.window)
                mask = causal if mask is None else causal & mask
        if config.position == "rotary":
            if positions is None:
                positions = library(X).arange(n_past, n_past + n, device=X.device)
            made = turns(positions[..., None, :], config.d_k, config.base, like=X)
            context = context._replace(positions=positions, turns=made)
        context = context._replace(mask=mask, bias=bias, causal=alone and n_past == 0 and n > 1)
        if cache is None:
            return zip(self.layers, repeat(context))
        pairs = zip(self.layers, cache.layers, strict=True)
        return [(layer, context._replace(cache=own)) for layer, own in pairs]
