"""The whole model as a function of a dictionary of parameters: token ids in, logits out."""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import attention_steps
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.head import logits, tied_logits
from transformer_lib.formulas.mask import padding_mask
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.embedding import EmbeddingSteps, embedding_steps
from transformer_lib.model.layer import Attend, Dropout, LayerPast
from transformer_lib.model.parameters import Parameters, head_shapes, take
from transformer_lib.model.stack import StackSteps, decoder_steps, encoder_steps


class Cache(NamedTuple):
    """What decoding keeps, so that one more token needs one more row of work."""

    memory: Array | None  # what the encoder put out, (..., n_source, d_model)
    layers: tuple[LayerPast, ...]

    @property
    def length(self) -> int:
        """The number of tokens whose keys and values are kept."""
        return int(self.layers[0].own[0].shape[-2]) if self.layers else 0


class ForwardSteps(NamedTuple):
    """The steps of a whole model; what a model lacks is None."""

    source_embedding: EmbeddingSteps | None
    encoder: StackSteps | None
    embedding: EmbeddingSteps | None
    decoder: StackSteps | None
    logits: Array
    cache: Cache | None


def forward_steps(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Array, "... n"],
    source: Int[Array, "... n_source"] | None = None,
    *,
    cache: Cache | None = None,
    dropout: Dropout | None = None,
    attend: Attend = attention_steps,
) -> ForwardSteps:
    """Run a whole model and keep every step.

    Padding, if the configuration names its id, is masked wherever tokens are attended to.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n). With a cache they are still all ids, from the first one.
        source: token ids of the encoder of an encoder-decoder, (..., n_source).
        cache: the cache of a call with the first of these ids; only the rest is computed.
        dropout: applied after the embedding and in every sub-layer.
        attend: what computes each head.

    Raises:
        ValueError: ids are not ids of the vocabulary, source is missing or there is no encoder to
            read it, the cache is as long as ids or longer or does not belong to this model, or a
            parameter is missing or has another shape.

    Source: Vaswani et al. (2017), section 3.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> E = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> forward_steps({"embedding.tokens": E}, config, np.array([1])).logits.round(4)
    array([[0.    , 5.6569]])
    """
    checks.namespace(ids=ids, **checks.given(source=source))
    checks.at_least_rank(1, ids=ids, **checks.given(source=source))
    _check_source_and_cache(config, ids, source, cache)
    if not config.has_decoder:
        embedding, only = _encode(parameters, config, ids, "embedding.", dropout, attend)
        scores = _head(parameters, config, only.output)
        return ForwardSteps(None, only, embedding, None, scores, None)
    read: EmbeddingSteps | None = None
    encoder: StackSteps | None = None
    memory = cache and cache.memory
    if source is not None and memory is None:
        prefix = "embedding." if config.source_vocabulary_size is None else "source_embedding."
        read, encoder = _encode(parameters, config, source, prefix, dropout, attend)
        memory = encoder.output
    first = cache.length if cache else 0
    embedding = embedding_steps(parameters, config, ids[..., first:], offset=first, dropout=dropout)
    decoder = decoder_steps(
        parameters,
        config,
        embedding.output,
        memory,
        _padding(config, ids),
        memory_mask=None if source is None else _padding(config, source),
        past=cache.layers if cache else (),
        dropout=dropout,
        attend=attend,
    )
    kept = Cache(memory, tuple(layer.past for layer in decoder.layers))
    scores = _head(parameters, config, decoder.output)
    return ForwardSteps(read, encoder, embedding, decoder, scores, kept)


def forward(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Array, "... n"],
    source: Int[Array, "... n_source"] | None = None,
) -> Float[Array, "... n V"]:
    """Return the logits of a whole model, one row a token of ids: see `forward_steps`.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n).
        source: token ids of the encoder of an encoder-decoder, (..., n_source).

    Raises:
        ValueError: as `forward_steps`.

    Source: Vaswani et al. (2017), section 3.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> E = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> forward({"embedding.tokens": E}, config, np.array([1])).round(4)
    array([[0.    , 5.6569]])
    """
    return forward_steps(parameters, config, ids, source).logits


def _encode(
    parameters: Parameters,
    config: Configuration,
    ids: Array,
    prefix: str,
    dropout: Dropout | None,
    attend: Attend,
) -> tuple[EmbeddingSteps, StackSteps]:
    embedding = embedding_steps(parameters, config, ids, prefix=prefix, dropout=dropout)
    mask = _padding(config, ids)
    return embedding, encoder_steps(
        parameters, config, embedding.output, mask, dropout=dropout, attend=attend
    )


def _head(parameters: Parameters, config: Configuration, hidden: Array) -> Array:
    if config.tied:
        return tied_logits(hidden, parameters["embedding.tokens"])
    arrays = take(parameters, head_shapes(config), "head.")
    return logits(hidden, arrays["W"], arrays.get("b"))


def _padding(config: Configuration, ids: Array) -> Bool[Array, "... 1 n"] | None:
    return None if config.padding_id is None else padding_mask(ids, config.padding_id)


def _check_source_and_cache(
    config: Configuration, ids: Array, source: Array | None, cache: Cache | None
) -> None:
    if source is not None and config.kind != "encoder-decoder":
        raise ValueError(f"source is for an encoder-decoder, this model's kind is {config.kind!r}")
    if source is None and config.kind == "encoder-decoder":
        raise ValueError("source must be given to an encoder-decoder, got None")
    if cache is not None and not config.has_decoder:
        raise ValueError("cache is for a model with a decoder, this model's kind is 'encoder'")
    if cache is not None and cache.length >= ids.shape[-1]:
        raise ValueError(
            f"ids must go on where the cache ends, at {cache.length}, got {checks.shape_of(ids)}"
        )
