"""A model that computes without calling its modules: the same formulas on its tensors."""

from collections.abc import Callable
from itertools import chain
from operator import is_
from typing import Any

from torch import nn
from torch.nn.modules import module as of_all

from transformer_lib.formulas.record import ignore
from transformer_lib.model import plain
from transformer_lib.model.block import EXPLICIT, Kernels
from transformer_lib.nn.block import (
    Decoder,
    DecoderBlock,
    Encoder,
    EncoderBlock,
    FeedForward,
    MultiHeadAttention,
    Norm,
)
from transformer_lib.nn.embedding import Embedding, Head
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.transformer import Transformer

OWN: set[Any] = {
    Transformer,
    Embedding,
    Encoder,
    Decoder,
    EncoderBlock,
    DecoderBlock,
    MultiHeadAttention,
}
OWN |= {FeedForward, Norm, Head, nn.ModuleList, nn.Dropout}
CALLED = {kind: (kind.forward, kind.__call__) for kind in OWN}  # a patch of one wants to be heard


def bare(model: Transformer) -> plain.Model | None:
    """Return what computes as the model does at inference, or None if its modules must run.

    They must run if one of them is not ours or has a hook, an adapter or a function of its own.
    """
    config, attentions = model.config, [m for m in model.modules() if type(m) is MultiHeadAttention]
    kernels = attentions[0].kernels if attentions else EXPLICIT
    stacks = [getattr(model, name) for name in ("encoder", "decoder") if hasattr(model, name)]
    if any(len(stack.layers) != config.layers for stack in stacks):
        return None
    if of_all._global_forward_hooks or of_all._global_forward_pre_hooks:
        return None
    if not all(is_ours(module, model, kernels) for module in model.modules()):
        return None
    parameters = dict(model.named_parameters(remove_duplicate=False))
    return plain.Model(plain.Bound(parameters, config, kernels))


def last_logits_of(model: Transformer) -> Callable[..., Any]:
    """Return a function that gives the logits of the last position; modules compute them all."""
    runs = bare(model)
    return runs.last_logits if runs else lambda *ids, **options: model(*ids, **options)[..., -1, :]


class Watched:
    """`last_logits_of` of a model that may change between two tokens.

    To ask each module takes longer than a small model's pass. So what the modules hold is compared
    object by object: a hook, an adapter, a record, another module or parameter is another object.
    """

    def __init__(self, model: Transformer) -> None:
        self.model = model
        self.look()

    def look(self) -> None:
        """Find out how the model computes now, and keep what it holds."""
        self.last_logits = last_logits_of(self.model)
        own = [vars(module) for module in self.model.modules()]
        inner = (x for each in own for x in each.values() if isinstance(x, dict))
        self.held = [*own, *inner, of_all._global_forward_hooks, of_all._global_forward_pre_hooks]
        self.before = self.values()

    def values(self) -> list[Any]:
        """Return all that the modules hold, and how their classes compute."""
        ways = (way for kind in OWN for way in (kind.forward, kind.__call__))
        return [*chain.from_iterable(map(dict.values, self.held)), *ways]

    def changed(self) -> bool:
        """Return whether anything is another object than at the last look."""
        now = self.values()
        return len(now) != len(self.before) or not all(map(is_, now, self.before))

    def __call__(self, *ids: Any, **options: Any) -> Any:
        """Return the logits of the last position, (..., V)."""
        if self.changed():
            self.look()
        return self.last_logits(*ids, **options)


def is_ours(module: nn.Module, model: Transformer, kernels: Kernels) -> bool:
    """Return whether a module is as this model made it and has no hook or record."""
    kind, own = type(module), vars(module)
    if CALLED.get(kind) != (kind.forward, kind.__call__):
        return False
    if any(callable(getattr(kind, name, None)) for name in own) or own.get("_compiled_call_impl"):
        return False
    if module._forward_hooks or module._forward_pre_hooks:
        return False
    if isinstance(module, MultiHeadAttention | FeedForward) and module.kernels is not kernels:
        return False
    ours = not isinstance(module, Parametrized) or module.config is model.config
    return ours and own.get("record", ignore) is ignore
