"""The models before the Transformer: a recurrent language model with its parameters."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import nn

from transformer_lib.formulas.embedding import embed
from transformer_lib.formulas.head import logits
from transformer_lib.model.recurrent import (
    RecurrentConfiguration,
    RecurrentSteps,
    hidden_states,
    read_in_turn,
    recurrent_shapes,
)
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import sizes


class RecurrentModel(nn.Module):
    """An RNN or LSTM language model of one layer.

    Embeddings are normal with a standard deviation of 1. All other parameters are uniform up to
    1 / sqrt(d_model), with two exceptions: the bias of the forget gate is 1, so that an LSTM starts
    by remembering, and the W_h of an RNN is as `start` says.

    Args:
        kind: "rnn" or "lstm".
        vocabulary_size: V, the number of tokens that the model reads and predicts.
        d_model: the dimension of the embedding and of the hidden state.
        start: how the W_h of an RNN starts: "uniform", "identity" or "orthogonal".
        seed: an integer or a generator, for the first values of all parameters.
        options: `device` and `dtype` of the parameters.

    Raises:
        ValueError: kind or start is none of these, or a size is not an integer of 1 or more.

    Source: Gers et al. (2000), section 3, for the gate that remembers.

    >>> RecurrentModel("lstm", vocabulary_size=7, d_model=4)(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 7])
    """

    def __init__(
        self,
        kind: str,
        *,
        vocabulary_size: int,
        d_model: int,
        start: str = "uniform",
        seed: Seed = 0,
        **options: Any,
    ) -> None:
        super().__init__()
        self.config = RecurrentConfiguration(
            kind=kind, vocabulary_size=vocabulary_size, d_model=d_model, start=start
        )
        generator = generator_of(seed)
        options.setdefault("device", torch.get_default_device())
        values = {
            name: _initial(name, shape, self.config, generator).to(**options)
            for name, shape in recurrent_shapes(self.config).items()
        }
        self.embedding = _Part(values, "embedding", _looked_up)
        self.cell = _Part(values, "cell", partial(hidden_states, kind))
        self.head = _Part(values, "head", logits)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return logits, (..., n, V), for ids, (..., n).

        Raises:
            ValueError: as `recurrent_steps`.
        """
        logits: torch.Tensor = self.steps(ids).logits
        return logits

    def steps(self, ids: torch.Tensor) -> RecurrentSteps:
        """Return every step of `forward`."""
        return read_in_turn(ids, self.embedding, self.cell, self.head)


class _Part(nn.Module):
    """A formula with its parameters: those of `values` whose names start with the part's."""

    def __init__(
        self, values: dict[str, torch.Tensor], part: str, formula: Callable[..., torch.Tensor]
    ) -> None:
        super().__init__()
        self.formula = formula
        named = {n.removeprefix(f"{part}."): x for n, x in values.items() if n.startswith(part)}
        self.names = tuple(named)
        for name, value in named.items():
            self.register_parameter(name, nn.Parameter(value))

    extra_repr = sizes

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the formula's rows, with the parameters as they are now."""
        return self.formula(rows, **{name: getattr(self, name) for name in self.names})


def _looked_up(ids: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    rows: torch.Tensor = embed(ids, tokens)
    return rows


def _initial(
    name: str, shape: tuple[int, ...], config: RecurrentConfiguration, generator: torch.Generator
) -> torch.Tensor:
    if name == "embedding.tokens":
        return torch.normal(0.0, 1.0, shape, generator=generator, device="cpu")
    bound = 1 / math.sqrt(config.d_model)
    value = torch.empty(shape, device="cpu").uniform_(-bound, bound, generator=generator)
    if name == "cell.W_h" and config.start == "identity":
        return nn.init.eye_(value)
    if name == "cell.W_h" and config.start == "orthogonal":
        return nn.init.orthogonal_(value, generator=generator)
    if name == "cell.b" and config.kind == "lstm":
        value[config.d_model : 2 * config.d_model] = 1.0
    return value
