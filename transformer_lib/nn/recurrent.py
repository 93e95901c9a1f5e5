"""The models before the Transformer: a recurrent language model that holds its parameters."""

import math

import torch
from torch import nn

from transformer_lib.model.recurrent import (
    RecurrentConfiguration,
    RecurrentSteps,
    recurrent_shapes,
    recurrent_steps,
)
from transformer_lib.nn.initialization import Seed, generator_of


class RecurrentModel(nn.Module):
    """An RNN or LSTM language model of one layer.

    Embeddings are normal with a deviation of 1. All else is uniform up to 1 / sqrt(d_model), but
    for the bias of the forget gate, which is 1, so that an LSTM starts by remembering.

    Args:
        kind: "rnn" or "lstm".
        vocabulary_size: V, the tokens the model reads and predicts.
        d_model: the width of the embedding and of the hidden state.
        seed: an integer or a generator, for the first values of all parameters.

    Raises:
        ValueError: kind is another word, or a size is not an integer of 1 or more.

    Source: Gers et al. (2000), section 3, for the gate that remembers.

    >>> RecurrentModel("lstm", vocabulary_size=7, d_model=4)(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 7])
    """

    def __init__(self, kind: str, *, vocabulary_size: int, d_model: int, seed: Seed = 0) -> None:
        super().__init__()
        self.config = RecurrentConfiguration(
            kind=kind, vocabulary_size=vocabulary_size, d_model=d_model
        )
        generator = generator_of(seed)
        for name, shape in recurrent_shapes(self.config).items():
            part, own = name.split(".")
            if not hasattr(self, part):
                self.add_module(part, nn.ParameterDict())
            value = nn.Parameter(_initial(name, shape, self.config, generator))
            getattr(self, part)[own] = value

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return logits, (..., n, V), for ids, (..., n).

        Raises:
            ValueError: as `recurrent_steps`.
        """
        logits: torch.Tensor = self.steps(ids).logits
        return logits

    def steps(self, ids: torch.Tensor) -> RecurrentSteps:
        """Return every step of `forward`."""
        return recurrent_steps(dict(self.named_parameters()), self.config, ids)


def _initial(
    name: str, shape: tuple[int, ...], config: RecurrentConfiguration, generator: torch.Generator
) -> torch.Tensor:
    if name == "embedding.tokens":
        return torch.normal(0.0, 1.0, shape, generator=generator)
    bound = 1 / math.sqrt(config.d_model)
    value = torch.empty(shape).uniform_(-bound, bound, generator=generator)
    if name == "cell.b" and config.kind == "lstm":
        value[config.d_model : 2 * config.d_model] = 1.0
    return value
