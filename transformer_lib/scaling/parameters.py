"""Parameters: how many numbers each part of a model learns."""

from typing import NamedTuple

from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED


class ParameterCount(NamedTuple):
    """The parameters of a model by the part that they belong to."""

    embedding: int  # tables of tokens, types and positions
    attention: int
    feed_forward: int
    norms: int
    head: int  # 0 where it is tied and has no bias

    @property
    def total(self) -> int:
        """All parameters."""
        return sum(self)

    @property
    def without_embedding(self) -> int:
        """The parameters without the embedding and the head, which grow with the vocabulary."""
        return self.attention + self.feed_forward + self.norms


def parameter_count(config: Configuration) -> ParameterCount:
    """Return how many parameters a model has.

    An attention layer has 4 d_model^2 weights and a feed-forward layer of the usual dimension has
    8 d_model^2, so N layers have 12 N d_model^2.

    Args:
        config: the shape of the model.

    Source: Kaplan et al. (2020), section 2.1, table 1.

    >>> parameter_count(Configuration(kind="decoder", vocabulary_size=100, layers=1, bias=False))
    ParameterCount(embedding=51200, attention=1048576, feed_forward=2097152, norms=1024, head=0)
    """
    layers, both = config.layers, config.has_encoder and config.has_decoder
    stacks = 2 if both else 1
    attentions = layers * (3 if both else 1)
    feed_forwards = layers * stacks
    embeddings = 2 if config.has_source_embedding else 1
    norms = attentions + feed_forwards + stacks * (config.place == "pre")
    norms += embeddings * config.embedding_norm + config.head_transform
    tables = stacks * config.buckets * config.heads * (config.position == "t5")
    return ParameterCount(
        embedding=_embedding(config) * config.d_model,
        attention=attentions * _attention(config) + tables,
        feed_forward=feed_forwards * _feed_forward(config),
        norms=norms * _norm(config),
        head=_head(config),
    )


def _embedding(config: Configuration) -> int:
    """The rows of all tables."""
    tokens = config.vocabulary_size + (config.source_vocabulary_size or 0)
    positions = config.max_length if config.position == "learned" else 0
    sides = 2 if config.has_source_embedding else 1
    return tokens + sides * (config.token_types + positions)


def _attention(config: Configuration) -> int:
    d, wide, shared = config.d_model, config.heads * config.d_k, config.h_kv * config.d_k
    return 2 * d * wide + 2 * d * shared + config.bias * (wide + 2 * shared + d)


def _feed_forward(config: Configuration) -> int:
    d, d_ff = config.d_model, config.d_ff
    if config.activation in GATED:
        return 3 * d * d_ff
    return 2 * d * d_ff + config.bias * (d_ff + d)


def _norm(config: Configuration) -> int:
    return config.d_model * (1 + (config.bias and config.norm == "layer"))


def _head(config: Configuration) -> int:
    d, V, classes = config.d_model, config.vocabulary_size, config.classes
    count = (not config.tied) * d * V + config.has_head_bias * V
    dense = d * d + d
    return count + config.head_transform * dense + (dense + d * classes + classes) * (classes > 0)
