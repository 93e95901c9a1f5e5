"""The encoder and the decoder: stacks of blocks."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from transformer_lib.formulas.stack import Layer, decoder_stack, encoder_stack
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import relative_shapes
from transformer_lib.model.stack import cache_length, position_bias
from transformer_lib.model.sublayers import check_masked
from transformer_lib.nn.fused import nothing_but_causal
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.layer import DecoderBlock, EncoderBlock
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.sublayers import Norm


class _Stack(Parametrized):
    """Blocks, a last norm if norms come first, and T5's table of relative positions."""

    def __init__(
        self, config: Configuration, block: type[EncoderBlock], seed: Seed, options: dict[str, Any]
    ) -> None:
        generator = generator_of(seed)
        own = {name: value for name, value in options.items() if name != "attention"}
        fused = options.get("attention") == "fused"
        super().__init__(config, relative_shapes(config), generator, **own)
        blocks = [block(config, seed=generator, **options) for _ in range(config.layers)]
        self.layers = nn.ModuleList(blocks)
        self.norm = Norm(config, fused=fused, **own) if config.place == "pre" else None

    def bias(self, X: torch.Tensor, **where: Any) -> torch.Tensor | None:
        """Return what ALiBi or T5 adds to the scores, or None."""
        table = self.arrays().get("relative_positions")
        bias: torch.Tensor | None = position_bias(self.config, X, table, **where)
        return bias


class Encoder(_Stack):
    """All layers of the encoder, on embedded tokens.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `attention` of the blocks, `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, EncoderBlock, seed, options)

    def forward(
        self,
        X: torch.Tensor,
        mask: torch.Tensor | None = None,
        *,
        positions: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the memory that a decoder reads, (..., n, d_model)."""
        check_masked(self.config, X, mask=mask)
        bias = self.bias(X, bidirectional=True)
        output: torch.Tensor = encoder_stack.formula(
            X, self.layers, self.norm, mask=mask, bias=bias, positions=positions
        )
        return output


class Decoder(_Stack):
    """All layers of the decoder, on embedded tokens, under the causal mask.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `attention` of the blocks, `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, DecoderBlock, seed, options)

    def forward(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        memory_mask: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        cache: Cache | None = None,
    ) -> torch.Tensor:
        """Return the hidden rows that the head scores, (..., n, d_model)."""
        n_past = cache_length(len(self.layers), cache)
        masks = {"mask": mask, "memory_mask": memory_mask}
        check_masked(self.config, X, memory, **masks, n_past=n_past)
        layers: Iterable[Layer] = self.layers
        whole = n_past == 0 or X.shape[-2] == 1
        if whole and mask is None and self.config.window is None:
            layers = [_told_of_mask(layer) for layer in self.layers]
        output: torch.Tensor = decoder_stack.formula(
            X,
            layers,
            self.norm,
            memory=memory,
            mask=mask,
            memory_mask=memory_mask,
            bias=self.bias(X, n_past=n_past),
            positions=positions,
            caches=None if cache is None else cache.layers,
            n_past=n_past,
            window=self.config.window,
        )
        return output


def _told_of_mask(layer: Layer) -> Layer:
    """Return a layer whose fused attention may know that its mask is causal, and nothing else."""
    return lambda X, mask, **options: layer(X, mask=nothing_but_causal(mask), **options)
