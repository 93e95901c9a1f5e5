"""The base of all modules: it contains the parameters of a formula, and may be traced."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.initialization import Seed, generator_of, initial


class Parametrized(nn.Module):
    """A module that contains the parameters that a formula asks for by name.

    Args:
        config: the shape of the model.
        shapes: a function from the configuration to the name and shape of each parameter that this
            module holds itself.
        seed: an integer, or a generator that a parent module draws from.
        device: the device where the parameters are made; unless given, that of a `with
            torch.device(...)`, and the CPU outside of one.
        dtype: the dtype of the parameters; torch's default unless given.
    """

    def __init__(
        self,
        config: Configuration,
        shapes: Callable[[Configuration], dict[str, tuple[int, ...]]],
        seed: Seed,
        device: Any = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(config, Configuration):
            raise ValueError(f"config must be a Configuration, got {type(config).__name__}")
        if not (dtype is None or (isinstance(dtype, torch.dtype) and dtype.is_floating_point)):
            raise ValueError(f"dtype must be one of torch's floats or None, got {dtype!r}")
        self.config = config
        self.record: Record = ignore
        own = shapes(config)
        self.names = tuple(own)
        generator = generator_of(seed)
        at = torch.get_default_device() if device is None else torch.device(device)
        for name, shape in own.items():
            # Drawn on the CPU in float32 wherever it goes, so that a seed means the same numbers.
            if at.type == "meta":
                value = torch.empty(shape, device=at, dtype=dtype)
            else:
                value = initial(name, shape, config, generator).to(device=at, dtype=dtype)
            self.register_parameter(name, nn.Parameter(value))

    def extra_repr(self) -> str:
        """Return what `print` shows of this module: the size of each of its own parameters."""
        return sizes(self)

    def arrays(self) -> dict[str, torch.Tensor]:
        """Return the values of this module's own parameters by name, parametrized or not."""
        return {name: getattr(self, name) for name in self.names}

    def check_dtype(self, **rows: torch.Tensor | None) -> None:
        """Raise ValueError if rows have another dtype than the parameters, unless torch casts."""
        first = next(self.parameters(), None)
        for name, X in rows.items():
            if first is None or X is None or X.dtype == first.dtype:
                continue
            if not torch.is_autocast_enabled(X.device.type):
                raise ValueError(f"{name} must be {first.dtype} as the parameters, got {X.dtype}")


def none_own(config: Configuration) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a module whose parameters all belong to the modules in it."""
    return {}


def sizes(module: nn.Module) -> str:
    """Return the name and shape of each parameter that a module holds itself, as a string."""
    own = module.named_parameters(recurse=False)
    return ", ".join(f"{name}={tuple(value.shape)}" for name, value in own)


def plain_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the parameters of a model by the names that it was made with, on the CPU.

    Raises:
        ValueError: a parameter is computed by an adapter.
    """
    state = {name: value.detach().cpu() for name, value in model.state_dict().items()}
    for name in state:
        if "parametrizations." in name:
            adapted = name.replace("parametrizations.", "").rsplit(".original", 1)[0]
            raise ValueError(f"{adapted} has an adapter: call merge_adapters(model) first")
    return state
