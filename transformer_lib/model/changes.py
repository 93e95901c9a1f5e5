"""Replace intermediate results of a model by their names: X' = f(X), and the model goes on from X'.

names:     those of `trace`, such as "decoder.layers.3.self_attention.heads"
changing:  a record for `forward` that replaces what is named
skipping:  the changes that leave whole layers out
"""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from transformer_lib.formulas.attention import MultiHeadSteps
from transformer_lib.formulas.block import FeedForwardSteps, SwiGLUSteps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.record import Record, passed
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED

Change = Callable[[Array], Array | None]
"""A function of an intermediate result; None leaves the result as it is."""


def changing(config: Configuration, changes: Mapping[str, Change]) -> Record:
    """Return a record for `forward` that puts what a function returns in the place of its result.

    Args:
        config: the shape of the model.
        changes: functions by the names of `trace`. Each is called with its result, which it must
            not write into, and returns an array of the same shape, or None to change nothing. The
            weights and heads of an attention are (..., h, n, n_k) and (..., h, n, d_v), whatever
            heads share; Q, K and V are as `trace` shows them. With a cache a function sees the new
            rows only, and K and V of all.

    Raises:
        ValueError: a name is none of the model, or a result that cannot be replaced; later, a
            function returns another shape.

    Source: Meng et al. (2022), section 2.1, restore states of one run in another; the names are
    those of TransformerLens (Nanda and Bloom, 2022).

    >>> import numpy as np
    >>> from transformer_lib import forward, initial_parameters
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=5, d_model=4, heads=2, layers=1, d_ff=8, place="pre"
    ... )
    >>> P, ids = initial_parameters(config, rng=np.random.default_rng(0)), np.array([1, 2])
    >>> silent = changing(config, {"decoder.layers.0.self_attention.heads": lambda x: 0 * x})
    >>> bool((forward(P, config, ids, record=silent) == forward(P, config, ids)).all())
    False
    """
    known = set(names(config))
    if not isinstance(changes, Mapping):
        raise ValueError(f"changes must be functions by name, got {type(changes).__name__}")
    for name, change in changes.items():
        if name not in known:
            raise ValueError(_refusal(str(name), known, config))
        if not callable(change):
            raise ValueError(f"{name} must be changed by a function, got {change!r}")

    def record(name: str, value: Array) -> Array | None:
        return changed_value(name, changes[name], value) if name in changes else None

    return record


def changed_value(name: str, change: Change, value: Array) -> Array | None:
    """Return what a function makes of a result; raise ValueError if the shape is another."""
    made = change(value)
    shape = getattr(made, "shape", None)
    if made is not None and shape != value.shape:
        found = repr(made) if shape is None else f"shape {tuple(shape)}"
        raise ValueError(f"{name} must keep its shape {tuple(value.shape)}, got {found}")
    return made


def skipping(*layers: str) -> dict[str, Change]:
    """Return the changes that leave layers out: what comes in goes on.

    Args:
        layers: names of layers, such as "decoder.layers.3".

    >>> sorted(skipping("decoder.layers.3"))
    ['decoder.layers.3.resid_post', 'decoder.layers.3.resid_pre']
    """
    came: dict[str, Array] = {}

    def keep(layer: str) -> Change:
        return lambda X: came.__setitem__(layer, X)

    def give(layer: str) -> Change:
        return lambda X: came[layer]

    ends = (("resid_pre", keep), ("resid_post", give))
    return {f"{layer}.{name}": end(layer) for layer in layers for name, end in ends}


def followed(first: Record, then: Record) -> Record:
    """Return a record that asks one record and then another, which sees what the first put in."""

    def record(name: str, value: Any) -> Any:
        return passed(then, name, passed(first, name, value))

    return record


def names(config: Configuration) -> Iterator[str]:
    """Yield the name of each result that can be replaced, in the order of the model."""
    sides = config.has_encoder and config.has_decoder
    if not sides or config.has_source_embedding:  # one embedding of both sides is named by no side
        yield "embedding.output"
    if sides:
        yield "source_embedding.output"
    for stack in ("encoder", "decoder"):
        if getattr(config, f"has_{stack}"):
            for i in range(config.layers):
                inside = of_layer(config, reads=sides and stack == "decoder")
                yield from (f"{stack}.layers.{i}.{name}" for name in inside)
            yield f"{stack}.output"
    if not config.headless:
        yield "logits"
    if config.classes:
        yield "classes"


def of_layer(config: Configuration, *, reads: bool) -> Iterator[str]:
    """Yield the names in one layer; `reads` says whether it attends to an encoder."""
    attention = MultiHeadSteps._fields
    fed = SwiGLUSteps._fields if config.activation in GATED else FeedForwardSteps._fields
    yield "resid_pre"
    yield from (f"self_attention.{name}" for name in attention)
    yield from ("attn_out", "resid_mid")
    if reads:
        yield from (f"cross_attention.{name}" for name in attention)
        yield from ("cross_attn_out", "resid_mid_cross")
    yield from (f"feed_forward.{name}" for name in fed)
    yield from ("mlp_out", "resid_post")


def _refusal(name: str, known: set[str], config: Configuration) -> str:
    place = re.fullmatch(r"(\w+)\.layers\.(\d+)\..*", name)
    if place and int(place[2]) >= config.layers and f"{place[1]}.output" in known:
        return f"{name} is of no layer: they are counted from 0 to {config.layers - 1}"
    if name == "embedding.output":
        return "embedding.output serves both sides here: change resid_pre of layer 0 of a side"
    if name.startswith(("embedding.", "source_embedding.")):
        return f"{name} cannot be replaced: change the output of the embedding"
    near = difflib.get_close_matches(name, sorted(known), n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{name} is no result of this model that can be replaced{meant}"
