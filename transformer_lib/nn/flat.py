"""One more token through a decoder as a flat list of torch's calls: the same step, faster."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules import module as hooks_of_all

from transformer_lib.formulas.record import ignore
from transformer_lib.model.cache import Cache, KeyValues
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED
from transformer_lib.model.sublayers import norm_of
from transformer_lib.nn.embedding import Embedding, Head
from transformer_lib.nn.fused import FUSED_ACTIVATIONS, fused_norm
from transformer_lib.nn.layer import DecoderBlock
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.stack import Decoder
from transformer_lib.nn.sublayers import FeedForward, MultiHeadAttention, Norm
from transformer_lib.nn.transformer import Transformer

OWN = {Transformer, Embedding, Decoder, DecoderBlock, MultiHeadAttention, FeedForward, Norm, Head}
KNOWN = OWN | {nn.ModuleList, nn.Dropout}
CLASSES = {each for kind in KNOWN for each in kind.__mro__[:-1]}
ROOMS = tuple(f"transformer_lib.{room}." for room in ("formulas", "model", "nn"))
# torch.compile changes these in nn.Module, and no call of a module that was made runs them.
MAKERS = {"__init__", "__setstate__"}
Rows = Callable[[torch.Tensor], torch.Tensor]


def _callables(owner: Any) -> dict[str, Any]:
    own = vars(owner).items()
    found = {name: value for name, value in own if callable(value) and name not in MAKERS}
    formulas = {name: getattr(value, "formula", None) for name, value in found.items()}
    return found | {f"{name}.formula": value for name, value in formulas.items() if value}


# What modules call, as it is when this is imported; whoever changes it later wants it called.
OF_CLASSES = {kind: _callables(kind) for kind in CLASSES}
# Another name is called by nobody here: transformers adds one to nn.Module for a while.
NAMES = {*dir(object), "__getattr__", "__getattribute__"}.union(*OF_CLASSES.values())
OF_FILES = [
    (file, _callables(file)) for name, file in list(sys.modules.items()) if name.startswith(ROOMS)
] + [(F, _callables(F))]


def flat_step(model: Transformer, cache: Cache, texts: int) -> Rows | None:
    """Return a function from one more id of each text to its logits, or None: modules must run.

    From ids, (texts,), it computes (texts, V) as `model` does with the cache, which it adds to. The
    weights of queries, keys and values lie side by side in a copy that is made here, and for
    several texts all weights are turned, so the model must not change in between. Modules must run
    where a hook listens to one, where one, its class or a function that it calls is not as it was
    made, and where the configuration asks for a mask, a bias or a turn.
    """
    config = model.config
    if not (fits(config) and all(is_untouched(each, config) for each in model.modules())):
        return None
    if hooks_of_all._global_forward_hooks or hooks_of_all._global_forward_pre_hooks:
        return None
    if not (code_is_untouched() and len(model.decoder.layers)):  # layers count the tokens so far
        return None
    decoder, tokens = model.decoder, model.embedding.tokens
    pairs = zip(decoder.layers, cache.layers, strict=True)
    layers = [_layer(cast(DecoderBlock, block), kept.own, texts) for block, kept in pairs]
    layers += [] if decoder.norm is None else [_norm(decoder.norm)]

    def step(ids: torch.Tensor) -> torch.Tensor:
        rows = model.embedding(ids[:, None], offset=cache.length)
        rows = rows[:, 0] if texts > 1 else rows[0, 0]  # a text alone is a vector
        for layer in layers:
            rows = layer(rows)
        scores: torch.Tensor = model.head(rows.view(texts, 1, -1), tokens)
        return scores[:, 0]

    return step


def fits(config: Configuration) -> bool:
    """Whether a layer is no more than the flat calls, without a mask, a bias or a turn."""
    return (
        config.kind == "decoder"
        and config.position in ("learned", "sinusoidal", "none")
        and config.window is None
        and config.padding_id is None
        and config.h_kv == config.heads
        and config.activation not in GATED
    )


def code_is_untouched() -> bool:
    """Whether every class and function that modules call is the one that was imported."""
    for kind, before in OF_CLASSES.items():
        if {name: own for name, own in _callables(kind).items() if name in NAMES} != before:
            return False
    return all(before.items() <= _callables(file).items() for file, before in OF_FILES)


def is_untouched(module: nn.Module, config: Configuration) -> bool:
    """Whether a module is as a model of this configuration makes it, fused, and without hooks."""
    kind, own = type(module), vars(module)
    if kind not in KNOWN or any(callable(getattr(kind, name, None)) for name in own):
        return False
    if module._forward_hooks or module._forward_pre_hooks or own.get("_compiled_call_impl"):
        return False
    if isinstance(module, Parametrized) and (
        module.record is not ignore or module.config != config
    ):
        return False
    if isinstance(module, MultiHeadAttention):
        return module.attention == "fused"
    if isinstance(module, FeedForward):
        return module.activation is FUSED_ACTIVATIONS[config.activation]
    return not isinstance(module, Norm) or module.norm_of in (fused_norm, norm_of)


def _layer(block: DecoderBlock, kept: KeyValues, texts: int) -> Rows:
    attend = _attention(block.self_attention, kept, texts)
    feed = _feed_forward(block.feed_forward, texts)
    norm_1, norm_2 = _norm(block.self_attention_norm), _norm(block.feed_forward_norm)

    def pre(rows: torch.Tensor) -> torch.Tensor:
        rows = rows + attend(norm_1(rows))
        return rows + feed(norm_2(rows))

    def post(rows: torch.Tensor) -> torch.Tensor:
        rows = norm_1(rows + attend(rows))
        return norm_2(rows + feed(rows))

    return pre if block.config.place == "pre" else post


def _attention(module: MultiHeadAttention, kept: KeyValues, texts: int) -> Rows:
    arrays, config = module.arrays(), module.config
    weights = torch.cat([arrays[f"W_{name}"] for name in "QKV"], dim=-1)
    biases = torch.cat([arrays[f"b_{name}"] for name in "QKV"]) if config.bias else None
    into, out = _linear(weights, biases, texts), _linear(arrays["W_O"], arrays.get("b_O"), texts)
    scale = config.d_k**-0.5 if config.scale_scores else 1.0
    # Scores of 16 bits may not fit between two products, but inside torch's kernel they do.
    read = _read_many if texts > 1 and weights.dtype.itemsize > 2 else _read_one

    def attend(rows: torch.Tensor) -> torch.Tensor:
        # (texts, Q or K or V, heads, 1, d_k): one row of each
        Q, K, V = into(rows).view(texts, 3, config.heads, 1, config.d_k).unbind(1)
        K, V = kept.extend(K, V)
        return out(read(Q, K, V, scale).reshape((*rows.shape[:-1], -1)))

    return attend


def _read_one(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, scale: float) -> torch.Tensor:
    return F.scaled_dot_product_attention(Q, K, V, scale=scale)


def _read_many(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, scale: float) -> torch.Tensor:
    """Read by two products of batches: of one query a text, torch's fused kernel is slower."""
    Q, K, V = (x.flatten(0, 1) for x in (Q, K, V))
    scores = torch.baddbmm(Q.new_empty(1), Q, K.mT, beta=0, alpha=scale)
    return torch.bmm(scores.softmax(-1), V)


def _feed_forward(module: FeedForward, texts: int) -> Rows:
    arrays, activation = module.arrays(), module.activation
    assert activation is not None  # it is the fused one
    wide = _linear(arrays["W_1"], arrays.get("b_1"), texts)
    narrow = _linear(arrays["W_2"], arrays.get("b_2"), texts)
    return lambda rows: narrow(activation(wide(rows)))


def _norm(module: Norm) -> Rows:
    arrays, eps = module.arrays(), module.config.eps
    gain, bias = arrays["gain"], arrays.get("bias")
    width = (module.config.d_model,)
    if module.config.norm == "rms":
        return lambda rows: F.rms_norm(rows, width, gain, eps)
    return lambda rows: torch.layer_norm(rows, width, gain, bias, eps)


def _linear(weights: torch.Tensor, bias: torch.Tensor | None, texts: int) -> Rows:
    turned = weights.mT  # torch has (out, in)
    if texts == 1:  # one row is a vector, for which torch has a function of its own
        return partial(torch.mv, turned) if bias is None else partial(torch.addmv, bias, turned)
    turned = turned.contiguous()  # several rows are faster where that is a copy
    return lambda rows: F.linear(rows, turned, bias)
