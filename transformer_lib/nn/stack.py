"""The encoder and the decoder: stacks of blocks."""

import torch
from torch import nn

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import relative_shapes
from transformer_lib.model.stack import decoder_steps, encoder_steps
from transformer_lib.nn.block import DecoderBlock, EncoderBlock
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.normalization import Norm
from transformer_lib.nn.parametrized import Parametrized


class _Stack(Parametrized):
    """Blocks, a last norm if norms come first, and T5's table of relative positions."""

    def __init__(self, config: Configuration, block: type[EncoderBlock], seed: Seed) -> None:
        generator = generator_of(seed)
        super().__init__(config, relative_shapes(config), generator)
        self.layers = nn.ModuleList(block(config, seed=generator) for _ in range(config.layers))
        if config.place == "pre":
            self.norm = Norm(config, seed=generator)


class Encoder(_Stack):
    """All layers of the encoder, on embedded tokens.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, EncoderBlock, seed)

    def forward(self, X: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Return the memory that a decoder reads, (..., n, d_model)."""
        output: torch.Tensor = encoder_steps(
            self.by_name(),
            self.config,
            X,
            mask,
            prefix="",
            dropout=self.dropout,
            attend=fused_attention_steps,
        ).output
        return output


class Decoder(_Stack):
    """All layers of the decoder, on embedded tokens, under the causal mask.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, DecoderBlock, seed)

    def forward(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the hidden rows that the head scores, (..., n, d_model)."""
        output: torch.Tensor = decoder_steps(
            self.by_name(),
            self.config,
            X,
            memory,
            mask,
            memory_mask=memory_mask,
            prefix="",
            dropout=self.dropout,
            attend=fused_attention_steps,
        ).output
        return output
