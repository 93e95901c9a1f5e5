"""One layer of a stack: the encoder block and the decoder block."""

import torch

from transformer_lib.formulas.mask import causal_mask, combine_masks
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.layer import layer_steps
from transformer_lib.nn.attention import MultiHeadAttention
from transformer_lib.nn.feed_forward import FeedForward
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.normalization import Norm
from transformer_lib.nn.parametrized import Parametrized


class EncoderBlock(Parametrized):
    """Self-attention and feed-forward, each with its residual and norm.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        super().__init__(config, {}, seed)
        generator = generator_of(seed)
        self.self_attention = MultiHeadAttention(config, seed=generator)
        self.self_attention_norm = Norm(config, seed=generator)
        self.feed_forward = FeedForward(config, seed=generator)
        self.feed_forward_norm = Norm(config, seed=generator)

    def forward(
        self,
        X: torch.Tensor,
        mask: torch.Tensor | None = None,
        *,
        bias: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the residual stream after this block.

        Args:
            X: the residual stream before it, (..., n, d_model).
            mask: broadcasts to (..., n, n), or None to attend to all.
            bias: what a stack adds to the scores for the positions "alibi" and "t5".
        """
        return self._run(X, mask=mask, bias=bias)

    def _run(
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        **options: torch.Tensor | None,
    ) -> torch.Tensor:
        output: torch.Tensor = layer_steps(
            self.by_name(),
            self.config,
            X,
            memory,
            dropout=self.dropout,
            attend=fused_attention_steps,
            **options,  # type: ignore[arg-type]
        ).output
        return output


class DecoderBlock(EncoderBlock):
    """Masked self-attention, cross-attention if there is an encoder, and feed-forward.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        generator = generator_of(seed)
        super().__init__(config, seed=generator)
        if config.has_encoder:
            self.cross_attention = MultiHeadAttention(config, seed=generator)
            self.cross_attention_norm = Norm(config, seed=generator)

    def forward(  # type: ignore[override]
        self,
        X: torch.Tensor,
        memory: torch.Tensor | None = None,
        mask: torch.Tensor | None = None,
        *,
        memory_mask: torch.Tensor | None = None,
        bias: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the residual stream after this block.

        Args:
            X: the residual stream before it, (..., n, d_model).
            memory: what the encoder put out, (..., n_memory, d_model), or None.
            mask: joins the causal mask, broadcasts to (..., n, n), or None.
            memory_mask: of cross-attention, broadcasts to (..., n, n_memory), or None.
            bias: what a stack adds to the scores for the positions "alibi" and "t5".
        """
        joined = combine_masks(causal=causal_mask(X.shape[-2], like=X), mask=mask)
        return self._run(X, memory, mask=joined, memory_mask=memory_mask, bias=bias)
