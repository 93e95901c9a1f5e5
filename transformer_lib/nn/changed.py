"""Replace what `trace` names in a torch model for the time of a `with`: X' = f(X)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from transformer_lib.formulas.attention import AttentionSteps
from transformer_lib.formulas.record import Record, ignore, under
from transformer_lib.model.changes import Change, changing, followed
from transformer_lib.nn.block import MultiHeadAttention
from transformer_lib.nn.parametrized import Parametrized

EXPLICIT = set(AttentionSteps._fields) - {"output"}
"""Steps that a fused kernel does not show."""


@contextmanager
def changed(model: Any, changes: Mapping[str, Change]) -> Iterator[Any]:
    """Within the `with`, results named as in `trace` go through functions before the model goes on.

    Args:
        model: a Transformer.
        changes: functions by name, see `transformer_lib.changing`. Gradients flow through them,
            `generate` and `trace` see them, and one `changed` may stand within another.

    Raises:
        ValueError: a name is none of this model, or a result that cannot be replaced.

    >>> import torch
    >>> from transformer_lib.nn import Configuration, Transformer
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=7, d_model=4, heads=2, layers=1, d_ff=8
    ... )
    >>> model, ids = Transformer(config, seed=0).eval(), torch.tensor([[3, 1, 4]])
    >>> before = model(ids)
    >>> with changed(model, {"decoder.layers.0.mlp_out": lambda X: 0 * X}):
    ...     print(torch.equal(model(ids), before))
    False
    >>> torch.equal(model(ids), before)
    True
    """
    record = changing(model.config, changes)
    modules = dict(model.named_modules())
    for name in changes:
        path = name.rpartition(".")[0]
        if path not in modules and path.split(".")[0] in modules and ".layers." in path:
            raise ValueError(f"{name} is of a layer that this model no longer has")
    by_steps = {n.rpartition(".")[0] for n in changes if n.rpartition(".")[2] in EXPLICIT}
    with recorded(model, record, explicit=by_steps):
        yield model


@contextmanager
def recorded(model: Any, record: Record, explicit: set[str] | None = None) -> Iterator[None]:
    """Within the `with`, the modules of a model call a record with the names of their results.

    Args:
        model: a Transformer.
        record: called after the record that a module may have already.
        explicit: the attentions that compute step by step; all of them unless given.
    """
    modules = [(n, m) for n, m in model.named_modules() if isinstance(m, Parametrized)]
    attentions = {n: m for n, m in modules if isinstance(m, MultiHeadAttention)}
    chosen = [m for n, m in attentions.items() if explicit is None or n in explicit]
    before = [module.record for _, module in modules]
    kernels = [module.attention for module in chosen]
    try:
        for (name, module), first in zip(modules, before, strict=True):
            own = under(record, f"{name}." if name else "")
            module.record = own if first is ignore else followed(first, own)
        for attention in chosen:
            attention.attention = "explicit"
        yield
    finally:
        for (_, module), first in zip(modules, before, strict=True):
            module.record = first
        for attention, was in zip(chosen, kernels, strict=True):
            attention.attention = was
