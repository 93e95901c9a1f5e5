"""One layer of a stack, made of modules: whatever stands in their place is what runs."""

from typing import Any

import torch
from torch import nn

from transformer_lib.formulas import checks
from transformer_lib.formulas.layer import decoder_layer, encoder_layer
from transformer_lib.model.cache import LayerCache
from transformer_lib.model.configuration import Configuration
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.sublayers import FeedForward, MultiHeadAttention, Norm


class EncoderBlock(Parametrized):
    """Self-attention and feed-forward, each with its residual and norm.

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
        super().__init__(config, {}, seed)
        generator, fused = generator_of(seed), attention == "fused"
        self.self_attention = MultiHeadAttention(
            config, seed=generator, attention=attention, **options
        )
        self.self_attention_norm = Norm(config, fused=fused, **options)
        self.feed_forward = FeedForward(config, seed=generator, fused=fused, **options)
        self.feed_forward_norm = Norm(config, fused=fused, **options)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        X: torch.Tensor,
        mask: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the residual stream after this block.

        Args:
            X: the residual stream before it, (..., n, d_model).
            mask: broadcasts to (..., n, n), or None to attend to all.
            bias: what a stack adds to the scores for the positions "alibi" and "t5".
            positions: for rotary positions that do not count from 0, (..., n), or None.
        """
        given = checks.given(mask=mask, bias=bias, positions=positions)
        return self._without_memory(X, given)

    def _without_memory(self, X: torch.Tensor, given: dict[str, Any]) -> torch.Tensor:
        output: torch.Tensor = encoder_layer.formula(
            X,
            lambda rows: self.self_attention(rows, **given),
            self.feed_forward,
            self.self_attention_norm,
            self.feed_forward_norm,
            **self._options(),
        )
        return output

    def _options(self) -> dict[str, Any]:
        return {"place": self.config.place, "dropout": self.dropout, "record": self.record}


class DecoderBlock(EncoderBlock):
    """Masked self-attention, cross-attention if a memory is given, and feed-forward.

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
        *,
        memory_mask: torch.Tensor | None = None,
        bias: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        cache: LayerCache | None = None,
    ) -> torch.Tensor:
        """Return the residual stream after this block.

        Args:
            X: the residual stream before it, (..., n, d_model).
            memory: what the encoder put out, (..., n_memory, d_model), or None.
            mask: the causal mask, which `Decoder` makes, joined with any other, or None.
            memory_mask: of cross-attention, broadcasts to (..., n, n_memory), or None.
            bias: what a stack adds to the scores for the positions "alibi" and "t5".
            positions: for rotary positions that do not count from 0, (..., n), or None.
            cache: the keys and values of earlier rows, which the call adds to, or None.

        Raises:
            ValueError: there is a memory and the model has no encoder, or as the parts.
        """
        own = checks.given(mask=mask, bias=bias, positions=positions)
        theirs = checks.given(memory=memory, mask=memory_mask)
        if cache is not None:
            own["cache"], theirs["cache"] = cache.own, cache.cross
        if memory is None:
            return self._without_memory(X, own)
        if not self.config.has_encoder:
            raise ValueError("memory must be None in a model without an encoder")
        output: torch.Tensor = decoder_layer.formula(
            X,
            lambda rows: self.self_attention(rows, **own),
            lambda rows: self.cross_attention(rows, **theirs),
            self.feed_forward,
            self.self_attention_norm,
            self.cross_attention_norm,
            self.feed_forward_norm,
            **self._options(),
        )
        return output
