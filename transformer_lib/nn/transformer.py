"""The whole model: encoder-only, decoder-only or encoder-decoder, by its configuration."""

from collections.abc import Callable, Sequence

import torch

from transformer_lib.formulas.attention import attention_steps
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.forward import Cache, ForwardSteps, forward_steps
from transformer_lib.model.next_logits import cached_next_logits
from transformer_lib.model.trace import flatten
from transformer_lib.nn.embedding import Embedding
from transformer_lib.nn.fused import fused_attention_steps
from transformer_lib.nn.head import Head
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.stack import Decoder, Encoder


class Transformer(Parametrized):
    """A Transformer that holds its parameters; numpy runs the same model from its state_dict.

    Args:
        config: the shape of the model.
        seed: an integer or a generator, for the first values of all parameters.

    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=7, d_model=4, heads=2, layers=1, d_ff=8
    ... )
    >>> Transformer(config, seed=0)(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 7])
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0) -> None:
        generator = generator_of(seed)
        super().__init__(config, {}, generator)
        self.embedding = Embedding(config, seed=generator)
        if config.source_vocabulary_size is not None:
            self.source_embedding = Embedding(config, source=True, seed=generator)
        if config.has_encoder:
            self.encoder = Encoder(config, seed=generator)
        if config.has_decoder:
            self.decoder = Decoder(config, seed=generator)
        self.head = Head(config, seed=generator)

    def forward(self, ids: torch.Tensor, source: torch.Tensor | None = None) -> torch.Tensor:
        """Return logits, (..., n, V), for ids, (..., n).

        Args:
            ids: token ids; of the target, in an encoder-decoder.
            source: token ids of the source, (..., n_source), in an encoder-decoder.

        Raises:
            ValueError: as `forward_steps`.
        """
        logits: torch.Tensor = self._run(ids, source, None, fused=True).logits
        return logits

    def extend(
        self,
        ids: torch.Tensor,
        source: torch.Tensor | None = None,
        *,
        cache: Cache | None = None,
    ) -> tuple[torch.Tensor, Cache | None]:
        """Return the logits of the ids that the cache does not cover, and the new cache.

        Args:
            ids: all token ids from the first on, (..., n).
            source: token ids of the source in an encoder-decoder.
            cache: what the last call returned, or None to begin.

        Raises:
            ValueError: as `forward_steps`.
        """
        steps = self._run(ids, source, cache, fused=True)
        return steps.logits, steps.cache

    def next_logits(
        self, source: torch.Tensor | None = None
    ) -> Callable[[Sequence[int]], torch.Tensor]:
        """Return a function from the ids so far to the next token's logits, with a cache.

        Parameters are read as they are now, without gradients and without dropout.
        """
        fixed = {name: value.detach() for name, value in self.named_parameters()}
        return cached_next_logits(fixed, self.config, source, attend=fused_attention_steps)

    def steps(self, ids: torch.Tensor, source: torch.Tensor | None = None) -> ForwardSteps:
        """Return every step of `forward`, as nested tuples."""
        return self._run(ids, source, None, fused=False)

    def trace(
        self, ids: torch.Tensor, source: torch.Tensor | None = None
    ) -> dict[str, torch.Tensor]:
        """Return every intermediate of `forward` by name.

        Names are paths into `steps`, such as "embedding.output", "logits", and in each layer
        "decoder.layers.0.self_attention.weights", (..., h, n, n), and
        "decoder.layers.0.self_attention.summed", the residual stream after the sub-layer. Dropout
        acts as in `forward`, so switch to `eval()` first.
        """
        return flatten(self.steps(ids, source))

    def _run(
        self,
        ids: torch.Tensor,
        source: torch.Tensor | None,
        cache: Cache | None,
        *,
        fused: bool,
    ) -> ForwardSteps:
        return forward_steps(
            self.by_name(),
            self.config,
            ids,
            source,
            cache=cache,
            dropout=self.dropout,
            attend=fused_attention_steps if fused else attention_steps,
        )
