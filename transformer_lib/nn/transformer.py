"""The whole model: encoder-only, decoder-only or encoder-decoder, as its configuration says."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch

from transformer_lib.formulas.record import Record
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.finite import Named
from transformer_lib.model.model import Model
from transformer_lib.model.next_logits import remembering
from transformer_lib.model.traced import traced
from transformer_lib.nn.block import Decoder, Encoder
from transformer_lib.nn.changed import recorded
from transformer_lib.nn.embedding import Classifier, Embedding, Head
from transformer_lib.nn.initialization import Seed, generator_of
from transformer_lib.nn.parametrized import Parametrized, none_own


class Transformer(Model, Parametrized):
    """A Transformer made of torch modules; NumPy computes the same model from its state_dict.

    Args:
        config: the shape of the model.
        seed: an integer or a generator, for the first values of all parameters.
        attention: "explicit" computes each step of the formulas; "fused" computes attention, and
            with it each norm and activation, in one call of torch.
        options: `device` and `dtype` of the parameters.

    Raises:
        ValueError: attention is neither "explicit" nor "fused", config is not a Configuration, or
            dtype is not a floating-point type of torch.

    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=7, d_model=4, heads=2, layers=1, d_ff=8
    ... )
    >>> Transformer(config, seed=0)(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 7])
    """

    head: Head

    def __init__(
        self,
        config: Configuration,
        *,
        seed: Seed = 0,
        attention: str = "explicit",
        **options: Any,
    ) -> None:
        generator = generator_of(seed)
        super().__init__(config, none_own, generator)
        self.embedding = Embedding(config, seed=generator, **options)
        if config.has_source_embedding:
            self.source_embedding = Embedding(config, source=True, seed=generator, **options)
        if config.has_encoder:
            self.encoder = Encoder(config, seed=generator, attention=attention, **options)
        if config.has_decoder:
            self.decoder = Decoder(config, seed=generator, attention=attention, **options)
        self.head = Head(config, seed=generator, **options)
        if config.classes:
            self.classifier = Classifier(config, seed=generator, **options)

    def forward(  # type: ignore[override]
        self,
        ids: torch.Tensor,
        source: torch.Tensor | None = None,
        *,
        mask: torch.Tensor | None = None,
        source_mask: torch.Tensor | None = None,
        positions: torch.Tensor | None = None,
        source_positions: torch.Tensor | None = None,
        types: torch.Tensor | None = None,
        cache: Cache | None = None,
    ) -> torch.Tensor:
        """Return logits, (..., n, V), for ids, (..., n).

        Args:
            ids: token ids; in an encoder-decoder, those of the target.
            source: token ids of the source, (..., n_source), in an encoder-decoder.
            mask: which ids are tokens and not padding, (..., n); see `transformer_lib.forward`.
            source_mask: the same for the source, (..., n_source).
            positions: the positions of the ids, (..., n); unless given, they count the tokens of
                `mask`, or all ids without a mask.
            source_positions: the same for the source.
            types: the type of each id, (..., n), in a model that has types; all 0 unless given.
            cache: a cache that an earlier call has filled and to which this call adds.

        Raises:
            ValueError: as `transformer_lib.forward`.
        """
        masks = {"mask": mask, "source_mask": source_mask}
        where = {"positions": positions, "source_positions": source_positions, "types": types}
        logits: torch.Tensor = super().forward(ids, source, cache=cache, **masks, **where)
        return logits

    def _named(self) -> Named:
        return self.named_parameters()

    def extra_repr(self) -> str:
        """Return what `print` shows: the sizes of the configuration and the parameter count."""
        names = ("kind", "vocabulary_size", "d_model", "heads", "layers", "d_ff")
        settings = ", ".join(f"{name}={getattr(self.config, name)!r}" for name in names)
        return f"{settings}, {sum(value.numel() for value in self.parameters()):,} parameters"

    def extend(
        self,
        ids: torch.Tensor,
        source: torch.Tensor | None = None,
        *,
        cache: Cache | None = None,
        **options: torch.Tensor | None,
    ) -> tuple[torch.Tensor, Cache]:
        """Return the logits of the ids that the cache does not cover, and a cache that does.

        Args:
            ids: all token ids from the first on, (..., n).
            source: token ids of the source in an encoder-decoder.
            cache: what the last call returned, or None to begin; it is not changed.
            options: the masks, positions and types of `forward`.

        Raises:
            ValueError: as `transformer_lib.forward`.
        """
        longer = Cache.empty(self.decoder_layers) if cache is None else cache.copy()
        return self(ids, source, cache=longer, **options), longer

    @property
    def decoder_layers(self) -> int:
        """The number of layers that the decoder has now, since layers may be removed."""
        decoder = getattr(self, "decoder", None)
        return len(getattr(decoder, "layers", range(self.config.layers)))

    def next_logits(
        self, source: torch.Tensor | None = None
    ) -> Callable[[Sequence[int]], torch.Tensor]:
        """Return a function from the ids so far to the next token's logits, with a cache.

        The model runs without gradients and dropout; do not train it between two calls.

        Raises:
            ValueError: the model has no decoder.
        """
        if not self.config.has_decoder:
            raise ValueError("config must be of a model with a decoder, got kind 'encoder'")
        from transformer_lib.nn.bare import Watched  # which reads this module

        device, last_logits = next(self.parameters()).device, Watched(self)

        def run(known: tuple[int, ...], cache: Cache) -> torch.Tensor:
            was_training = self.training
            if was_training:
                self.eval()
            try:
                with torch.no_grad():
                    ids = torch.tensor(known, device=device)
                    logits: torch.Tensor = last_logits(ids, source, cache=cache)
            finally:
                if was_training:
                    self.train()
            return logits

        return remembering(run, self.decoder_layers)

    def trace(
        self,
        ids: torch.Tensor,
        source: torch.Tensor | None = None,
        *,
        names: Collection[str] | None = None,
        until: str | None = None,
        **options: Any,
    ) -> dict[str, torch.Tensor]:
        """Return intermediate results of `forward` by the names of `transformer_lib.trace`.

        Attention is computed step by step here, and dropout acts as in `forward`, so call `eval()`
        first. A model without a head has no logits. `names` are the results to keep, all unless
        given, and the pass stops after the result `until`.
        """

        def run(record: Record) -> None:
            with recorded(self, record):
                (self.hidden if self.config.headless else self)(ids, source, **options)

        return traced(run, names, until)
