"""A pass of the published model that is kept, and passes that go on from a stream of one's own.

X_l = X_(l-1) + attention_l + feed_forward_l:  the residual stream after l layers, (texts, n, d)
m = (norm(X_L) w_plus - norm(X_L) w_minus) at the last word:  one logit less another
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from course.published.model import Published
from transformer_lib import changing, log_softmax
from transformer_lib.model.block import EXPLICIT
from transformer_lib.model.cache import Cache, KeyValues, LayerCache
from transformer_lib.model.changes import Change
from transformer_lib.model.context import Context
from transformer_lib.model.plain import Bound, Model

NAME = "decoder.layers.{}.{}"
KEPT = ("resid_pre", "resid_post", "mlp_out", "weights", "heads")

Array = Any


class Pass(NamedTuple):
    """What a pass over texts of one length computed."""

    steps: dict[str, Array]  # by the names of `trace`
    cache: Cache  # the keys and values of all rows
    X: Array  # the stream after the last layer, (texts, n, d_model)


def kept(model: Published, ids: Array, keep: Sequence[str] = KEPT) -> Pass:
    """Run a model on texts, and keep of each layer what is asked for.

    Args:
        model: which runs.
        ids: texts of one length, (texts, n).
        keep: names of results of a layer; of resid_post only that of the last layer is kept.
    """
    steps: dict[str, Array] = {}
    last = NAME.format(model.config.layers - 1, "resid_post")

    def record(name: str, value: Array) -> None:
        kind = name.rsplit(".", 1)[-1]
        if kind in keep and (kind != "resid_post" or name == last):
            steps[name] = value

    cache = Cache.empty(model.config.layers)
    bound = Model(Bound(model.parameters, model.config, EXPLICIT, record))
    X = bound.embedding(ids)
    for layer, context in bound.decoder.each(X, Context(cache=cache)):
        X = layer(X, context=context)
    return Pass(steps, cache, X)


def stream(model: Published, steps: Mapping[str, Array], layer: int) -> Array:
    """Return the residual stream after so many layers, from 0 to all, (texts, n, d_model).

    Raises:
        ValueError: the model has no such layer.
    """
    layers = model.config.layers
    if not 0 <= layer <= layers:
        raise ValueError(f"layer must be from 0 to {layers}, got {layer}")
    last = NAME.format(layers - 1, "resid_post")
    return steps[NAME.format(layer, "resid_pre") if layer < layers else last]


def onward(
    model: Published,
    cache: Cache,
    layer: int,
    X: Array,
    changes: Mapping[str, Change] | None = None,
) -> Array:
    """Return the stream after the last layer, if it is X after so many layers.

    Args:
        model: which runs.
        cache: keys and values of the words before X, as `before` returns them.
        layer: how many layers X has been through.
        X: the last words of the texts, (texts, words, d_model).
        changes: of later results, as for `changing`; a function sees the rows of X.
    """
    record = changing(model.config, changes or {})
    decoder = Model(Bound(model.parameters, model.config, EXPLICIT, record)).decoder
    for later, context in list(decoder.each(X, Context(cache=cache)))[layer:]:
        X = later(X, context=context)
    return X


def before(of: Pass, words: int, texts: Sequence[int] | slice = slice(None)) -> Cache:
    """Return the keys and values of the first words of some texts, in a cache of their own."""
    pairs: list[tuple[Array, Array]] = [(each.own.K, each.own.V) for each in of.cache.layers]
    first = [(K[texts][..., :words, :], V[texts][..., :words, :]) for K, V in pairs]
    return Cache([LayerCache(KeyValues(K, V, words)) for K, V in first])


def margins(model: Published, X: Array, plus: int, minus: int) -> Array:
    """Return one logit less another at the last word of each text, with no other logit computed."""
    logits = _last(model, X) @ model.parameters["embedding.tokens"][[plus, minus]].T
    return np.asarray(logits[:, 0] - logits[:, 1], np.float64)


def bits(model: Published, X: Array, word: int) -> Array:
    """Return log2 of the probability that a token follows the last word of each text."""
    logits = _last(model, X) @ model.parameters["embedding.tokens"].T
    return np.asarray(log_softmax(logits)[:, word], np.float64) / np.log(2)


def _last(model: Published, X: Array) -> Array:
    norm: Any = Model(Bound(model.parameters, model.config, EXPLICIT)).decoder.norm
    return norm(X[:, -1:])[:, 0]
