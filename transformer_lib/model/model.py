"""The whole model, written once; models of plain arrays and of torch modules inherit it."""

from collections.abc import Callable
from typing import Any

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.head import pooled
from transformer_lib.formulas.linear import linear
from transformer_lib.formulas.mask import padding_mask
from transformer_lib.formulas.record import ignore, one_by_one, passed
from transformer_lib.model.block import ACTIVATIONS, Norm, Part, Stack
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.context import Context
from transformer_lib.model.entry import as_tokens, check_ids, check_layers, check_rows, positions_of
from transformer_lib.model.finite import Named, check_finite
from transformer_lib.model.rows import EmbeddingSteps, embedding_of


class Embedding(Part):
    """Look tokens up and add positions if the configuration adds them to the embedding."""

    tokens: Array
    norm: Norm | None
    dropout: Callable[[Array], Array] | None

    def forward(self, ids: Array, **options: Any) -> Array:
        """Return embedded ids, (..., n, d_model); see `embedding_steps`."""
        steps = self.steps(ids, **options)
        if self.record is ignore:
            return steps.output
        return one_by_one(self.record, steps, _unfollowed).output

    def steps(self, ids: Array, **options: Any) -> EmbeddingSteps:
        """Return every step of `forward`."""
        options |= {"norm": self.norm, "dropout": self.dropout}
        return embedding_of(self.arrays(), self.config, ids, **options)


class Head(Part):
    """Score every token of the vocabulary; a tied head uses the embedding as its matrix."""

    norm: Norm | None

    def forward(self, hidden: Array, tokens: Array | None = None) -> Array:
        """Return the logits of hidden rows, (..., n, V), using the embedding if the head is tied.

        Raises:
            ValueError: the model has no head, the rows do not have dimension d_model, or the head
                is tied and tokens is missing.
        """
        config, arrays = self.config, self.arrays()
        if config.headless:
            raise ValueError(
                "the model has no head, because config.headless is set, so it has no logits; "
                "`hidden` returns the last hidden states"
            )
        if hidden.shape[-1] != config.d_model:
            check_rows(config, hidden=hidden)
        if config.tied and tokens is None:
            raise ValueError("tokens must be the embedding matrix of a tied head, got None")
        if self.norm is not None:
            dense = linear.formula(hidden, arrays["W_dense"], arrays["b_dense"])
            hidden = self.norm(ACTIVATIONS[config.head_activation or config.activation](dense))
        if config.scale_head:
            hidden = hidden / config.d_model**0.5
        W = arrays["W"] if tokens is None or not config.tied else tokens.mT
        return linear.formula(hidden, W, arrays.get("b"))


class Classifier(Part):
    """Score every class of a whole sequence by its first row."""

    def forward(self, hidden: Array) -> Array:
        """Return the class scores, (..., classes), of sequences from hidden, (..., n, d_model)."""
        check_rows(self.config, hidden=hidden)
        arrays = self.arrays()
        first = pooled.formula(hidden, arrays["W_pool"], arrays["b_pool"])
        return linear.formula(first, arrays["W"], arrays["b"])


class Model(Part):
    """The whole model, from token ids to logits."""

    embedding: Embedding
    source_embedding: Embedding
    encoder: Stack
    decoder: Stack
    head: Head
    classifier: Classifier
    _named: Callable[[], Named]

    def forward(self, ids: Array, source: Array | None = None, **options: Any) -> Array:
        """Return logits, (..., n, V); see `transformer_lib.forward`."""
        hidden = self.hidden(ids, source, **options)
        scores = self.head(hidden, self.embedding.tokens if self.config.tied else None)
        return passed(self.record, "logits", scores)

    def last_logits(self, ids: Array, source: Array | None = None, **options: Any) -> Array:
        """Return only the logits of the last row, (..., V), because decoding needs no others."""
        hidden = self.hidden(ids, source, **options)[..., -1:, :]
        tied = self.embedding.tokens if self.config.tied else None
        return self.head(hidden, tied)[..., 0, :]

    def classify(self, ids: Array, **options: Any) -> Array:
        """Return the score of each class, (..., classes), for each sequence of ids, (..., n)."""
        if not self.config.classes:
            raise ValueError("config must have classes, got 0")
        scores = self.classifier(self.hidden(ids, **options))
        return passed(self.record, "classes", scores)

    def hidden(
        self,
        ids: Array,
        source: Array | None = None,
        *,
        mask: Array | None = None,
        source_mask: Array | None = None,
        positions: Array | None = None,
        source_positions: Array | None = None,
        types: Array | None = None,
        cache: Cache | None = None,
    ) -> Array:
        """Return the last rows, (..., n, d_model), the input of the head if the model has one.

        Raises:
            ValueError: as `transformer_lib.forward`; a row is not finite, unless torch compiles,
                maps or trains the model.
        """
        config = self.config
        if mask is not None or source_mask is not None:
            mask, source_mask = as_tokens(mask=mask, source_mask=source_mask)
        check_ids(config, ids, source, mask, source_mask, cache)
        positions = positions_of(config, ids, mask, positions)
        if not config.has_decoder:
            rows = self.embedding(ids, positions=positions, types=types)
            return self.sound(self.encoded(rows, _keys(config, ids, mask), positions))
        check_layers(config, len(self.decoder.layers), cache)
        given = Context(source_mask, positions=source_positions, cache=cache)
        context = self.read(source, given)
        first = 0 if cache is None else cache.length
        new, types = (x if x is None or not first else x[..., first:] for x in (positions, types))
        rows = self.embedding(ids[..., first:], offset=first, positions=new, types=types)
        keys = None if mask is None else mask[..., None, :]
        rows = self.decoder(rows, context=context._replace(mask=keys, positions=new, cache=cache))
        if cache is not None:
            cache.check_grown(ids.shape[-1])
        return self.sound(passed(self.record, "decoder.output", rows))

    def sound(self, rows: Array) -> Array:
        """Return the last rows, or raise ValueError if one is not finite and nobody trains."""
        if not getattr(self, "training", False):  # training says at which step its loss is lost
            check_finite(rows, self._named)
        return rows

    def read(self, source: Array | None, given: Context) -> Context:
        """Return a context with the output of the encoder and the mask of its rows."""
        if source is None:
            return Context()
        config, cache, keys = self.config, given.cache, _keys(self.config, source, given.mask)
        if cache is not None and cache.memory is not None:
            return Context(memory=cache.memory, memory_mask=keys)
        embed = self.source_embedding if config.has_source_embedding else self.embedding
        positions = positions_of(config, source, given.mask, given.positions)
        tokens = self.embedding.tokens if config.side_positions else None
        rows = embed(source, positions=positions, **checks.given(tokens=tokens))
        # Where both sides share one embedding, its own record names the target's rows alone.
        if embed is self.embedding:
            rows = passed(self.record, "source_embedding.output", rows)
        memory = self.encoded(rows, keys, positions)
        if cache is not None:
            cache.memory = memory
        return Context(memory=memory, memory_mask=keys)

    def encoded(self, rows: Array, mask: Array | None, positions: Array | None) -> Array:
        """Return the output of the encoder."""
        rows = self.encoder(rows, context=Context(mask=mask, positions=positions))
        return passed(self.record, "encoder.output", rows)


def _unfollowed(name: str, steps: EmbeddingSteps) -> EmbeddingSteps:
    if name == "output":
        return steps
    raise ValueError(f"embedding.{name} cannot be replaced: replace embedding.output")


def _keys(config: Configuration, ids: Array, mask: Array | None) -> Array | None:
    """Return which keys may be attended, (..., 1, n), or None for all."""
    if mask is not None:
        return mask[..., None, :]
    return None if config.padding_id is None else padding_mask.formula(ids, config.padding_id)
