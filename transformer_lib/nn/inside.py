"""Look inside a decoder of torch: the functions of `transformer_lib` by the same names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from transformer_lib.model import inside
from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.parametrized import Parametrized


def lens(model: Any, steps: Mapping[str, torch.Tensor], *, row: int = -1) -> torch.Tensor:
    """Return the logits of one row before each layer and after the last; see `tl.lens`.

    Raises:
        ValueError: dropout acts in the model, or as `tl.lens`.
    """
    in_use(model)
    logits: torch.Tensor = inside.lens(*arrays_of(model), steps, row=row)
    return logits


def direct(
    model: Any, steps: Mapping[str, torch.Tensor], plus: int, minus: int, *, row: int = -1
) -> inside.DirectParts:
    """Return what each part adds to the logit of one token minus another; see `tl.direct`.

    Raises:
        ValueError: dropout acts in the model, or as `tl.direct`.
    """
    in_use(model)
    return inside.direct(*arrays_of(model), steps, plus, minus, row=row)


@torch.no_grad()
def patched(
    model: Any,
    ids: torch.Tensor,
    other: torch.Tensor,
    measure: Callable[[torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    """Return a measure of runs on ids with one place of the stream of another; see `tl.patched`."""
    found: torch.Tensor = inside.patched(*arrays_of(model), ids, other, measure)
    return found


def in_use(model: Any) -> None:
    """Raise ValueError if dropout acts, because the parts of a trace then do not add up."""
    if model.training and model.config.dropout:
        raise ValueError("model must not drop out: call model.eval() and trace again")


def arrays_of(model: Any) -> tuple[dict[str, torch.Tensor], Configuration]:
    """Return the parameters of a model by name, adapters included, and its configuration."""
    parts = [(name, part) for name, part in model.named_modules() if isinstance(part, Parametrized)]
    arrays = {f"{name}.{own}": x for name, part in parts for own, x in part.arrays().items()}
    return arrays, replace(model.config, layers=model.decoder_layers)
