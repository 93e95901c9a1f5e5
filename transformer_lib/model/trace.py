"""Nested steps as one dictionary of tensors by name."""

from typing import Any

import torch

from transformer_lib.formulas.sublayer import SublayerSteps
from transformer_lib.model.forward import ForwardSteps


def flatten(steps: ForwardSteps) -> dict[str, torch.Tensor]:
    """Return every tensor in the steps of a model by the path that leads to it.

    The steps inside a sub-layer stand beside its own: "self_attention.weights", not
    "self_attention.inner.weights". What the sub-layer computed is then "self_attention.change".
    """
    return dict(_leaves(steps._replace(cache=None), ""))


def _leaves(value: Any, path: str) -> list[tuple[str, torch.Tensor]]:
    if value is None:
        return []
    if isinstance(value, torch.Tensor):
        return [(path, value)]
    if isinstance(value, SublayerSteps):
        inner = value.inner._asdict()
        change = inner.pop("output")
        rest = {"summed": value.summed, "output": value.output}
        named = {"entered": value.entered, **inner, "change": change, **rest}
    else:
        named = value._asdict() if hasattr(value, "_asdict") else dict(enumerate(value))
    start = f"{path}." if path else ""
    return [leaf for name, part in named.items() for leaf in _leaves(part, f"{start}{name}")]
