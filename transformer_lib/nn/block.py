"""The parts of a model as torch modules: each inherits its `forward` and adds parameters."""

from functools import partial
from typing import Any

import torch
from torch import nn

from transformer_lib.formulas.attention import Attend, MultiHeadSteps
from transformer_lib.model import block
from transformer_lib.model.block import EXPLICIT, Kernels
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.context import Context
from transformer_lib.model.entry import to_attention
from transformer_lib.model.parameters import (
    attention_shapes,
    feed_forward_shapes,
    norm_shapes,
    relative_shapes,
)
from transformer_lib.nn.attention_dropout import dropping_out
from transformer_lib.nn.fused import FUSED
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import Parametrized, none_own

ATTENTIONS = {"explicit": EXPLICIT, "fused": FUSED}


class MultiHeadAttention(block.Attention, Parametrized):
    """Self-attention of one sequence, or cross-attention from one to another.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        attention: "explicit" computes the formula step by step, "fused" in one call of torch.
        options: `device` and `dtype` of the parameters.

    Raises:
        ValueError: attention is neither "explicit" nor "fused".
    """

    def __init__(
        self,
        config: Configuration,
        *,
        seed: Seed = 0,
        attention: str = "explicit",
        **options: Any,
    ) -> None:
        super().__init__(config, attention_shapes, seed, **options)
        if attention not in ATTENTIONS:
            raise ValueError(f"attention must be one of {tuple(ATTENTIONS)}, got {attention!r}")
        self.attention = attention
        self.attention_dropout = 0.0  # the share of weights set to 0; `training` sets it

    def extra_repr(self) -> str:
        """Return what `print` shows: the number of heads, how they attend, and the sizes."""
        shared = self.config.h_kv
        grouped = "" if shared == self.config.heads else f"{shared} of keys and values, "
        return f"{self.config.heads} heads, {grouped}{self.attention}, {super().extra_repr()}"

    @property
    def kernels(self) -> Kernels:  # type: ignore[override]
        """The functions that compute here."""
        return ATTENTIONS[self.attention]

    def reads(self, context: Context) -> Attend | None:
        """Return the function that computes each head, or None for `attention_steps`."""
        attend, share = super().reads(context), self.attention_dropout if self.training else 0.0
        if not share:
            return attend
        return partial(attend, dropout=share) if attend else dropping_out(share)

    def steps(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        **given: Any,
    ) -> MultiHeadSteps:
        """Return every step of `forward` for each head, whether or not `attention` is fused."""
        return self.steps_of(X, to_attention(self.config, X, memory, mask, **given), None)


class FeedForward(block.FeedForward, Parametrized):
    """A feed-forward layer: two linear maps with an activation between them, or the gated layer.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        fused: whether the activation is one call of torch.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self, config: Configuration, *, seed: Seed = 0, fused: bool = False, **options: Any
    ) -> None:
        super().__init__(config, feed_forward_shapes, seed, **options)
        self.fused = fused

    @property
    def kernels(self) -> Kernels:  # type: ignore[override]
        """The functions that compute here."""
        return FUSED if self.fused else EXPLICIT


class Norm(block.Norm, Parametrized):
    """Layer norm or RMS norm, by the configuration; all gains start at 1 and all biases at 0.

    Args:
        config: the shape of the model.
        fused: whether the norm is one call of torch.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, fused: bool = False, **options: Any) -> None:
        super().__init__(config, norm_shapes, 0, **options)
        self.fused = fused

    @property
    def kernels(self) -> Kernels:  # type: ignore[override]
        """The functions that compute here."""
        return FUSED if self.fused else EXPLICIT


class EncoderBlock(block.Block, Parametrized):
    """A self-attention layer and a feed-forward layer, each with its skip connection and norm.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        attention: "explicit" or "fused", see `Transformer`.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self,
        config: Configuration,
        *,
        seed: Seed = 0,
        attention: str = "explicit",
        **options: Any,
    ) -> None:
        super().__init__(config, none_own, seed)
        generator, fused = generator_of(seed), attention == "fused"
        self.self_attention = MultiHeadAttention(
            config, seed=generator, attention=attention, **options
        )
        self.self_attention_norm = Norm(config, fused=fused, **options)
        self.feed_forward = FeedForward(config, seed=generator, fused=fused, **options)
        self.feed_forward_norm = Norm(config, fused=fused, **options)
        self.dropout = nn.Dropout(config.dropout)

    def forward(  # type: ignore[override]
        self, X: torch.Tensor, mask: torch.Tensor | None = None, **given: Any
    ) -> torch.Tensor:
        """Return the residual stream after this block; see `transformer_lib.layer`."""
        output: torch.Tensor = super().forward(X, None, mask, **given)
        return output


class DecoderBlock(EncoderBlock):
    """Masked self-attention, cross-attention if a memory is given, and a feed-forward layer.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        attention: "explicit" or "fused", see `Transformer`.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self,
        config: Configuration,
        *,
        seed: Seed = 0,
        attention: str = "explicit",
        **options: Any,
    ) -> None:
        generator = generator_of(seed)
        super().__init__(config, seed=generator, attention=attention, **options)
        if config.has_encoder:
            self.cross_attention = MultiHeadAttention(
                config, seed=generator, attention=attention, **options
            )
            self.cross_attention_norm = Norm(config, fused=attention == "fused", **options)

    def forward(  # type: ignore[override]
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        **given: Any,
    ) -> torch.Tensor:
        """Return the residual stream after this block; see `transformer_lib.layer`."""
        output: torch.Tensor = block.Block.forward(self, X, memory, mask, **given)
        return output


class _Stack(block.Stack, Parametrized):
    """Blocks, a last norm if norms come first, and T5's table of relative positions."""

    def __init__(
        self, config: Configuration, kind: type[EncoderBlock], seed: Seed, options: dict[str, Any]
    ) -> None:
        generator = generator_of(seed)
        own = {name: value for name, value in options.items() if name != "attention"}
        fused = options.get("attention") == "fused"
        super().__init__(config, relative_shapes, generator, **own)
        blocks = [kind(config, seed=generator, **options) for _ in range(config.layers)]
        self.layers = nn.ModuleList(blocks)
        self.norm = Norm(config, fused=fused, **own) if config.place == "pre" else None


class Encoder(_Stack):
    """All layers of the encoder, which take embedded tokens.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `attention` of the blocks, `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, EncoderBlock, seed, options)
        self.sees_all = True

    def forward(  # type: ignore[override]
        self, X: torch.Tensor, mask: torch.Tensor | None = None, **given: Any
    ) -> torch.Tensor:
        """Return the memory that a decoder attends to, (..., n, d_model)."""
        output: torch.Tensor = super().forward(X, None, mask, **given)
        return output


class Decoder(_Stack):
    """All layers of the decoder, which take embedded tokens and use the causal mask.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `attention` of the blocks, `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, DecoderBlock, seed, options)
        self.sees_all = False
