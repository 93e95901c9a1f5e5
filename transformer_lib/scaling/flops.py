"""FLOPs: the sums and products that a model takes in training and in decoding."""

from typing import NamedTuple

from transformer_lib.formulas import checks
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import GATED

PER_PRODUCT = 2
"""A multiply-add counts as two: a product and a sum."""
BACKWARD = 2
"""A matrix product X W has two on the way back, for the gradients of X and of W."""


class Flops(NamedTuple):
    """The operations in a model's matrix products, by part; all others are few in comparison."""

    projections: int  # to queries, keys, values and outputs
    attention: int  # scores, and sums of values
    feed_forward: int
    head: int

    @property
    def total(self) -> int:
        """The operations of all parts."""
        return sum(self)


def forward_flops(config: Configuration, n: int, n_source: int = 0, *, batch: int = 1) -> Flops:
    """Return the operations of one forward pass over sequences of n tokens.

    Masked scores are computed too, so every position counts n scores.

    Args:
        config: the shape of the model.
        n: the sequence length, in tokens; in an encoder-decoder, that of the target.
        n_source: the length of the source in an encoder-decoder, 0 in any other model.
        batch: the number of sequences.

    Raises:
        ValueError: a number is out of its range, or a source is given to a model that reads none.

    Source: Kaplan et al. (2020), section 2.1, table 1, who omit the scores for short sequences.

    >>> sizes = {"vocabulary_size": 10, "d_model": 4, "heads": 2, "layers": 1, "d_ff": 8}
    >>> config = Configuration(kind="decoder", **sizes)
    >>> forward_flops(config, 3)
    Flops(projections=384, attention=144, feed_forward=384, head=240)
    """
    _check(config, n, n_source)
    checks.count(1, batch=batch)
    both = config.has_encoder and config.has_decoder
    own = [(n, n)] + [(n_source, n_source), (n, n_source)] * both
    layers = batch * config.layers
    return Flops(
        projections=layers * sum(_projections(config, q, k) for q, k in own),
        attention=layers * sum(_attention(config, q, k) for q, k in own),
        feed_forward=layers * _feed_forward(config, n + n_source),
        head=batch * _head(config, n),
    )


def training_flops(config: Configuration, n: int, n_source: int = 0, *, batch: int = 1) -> Flops:
    """Return the operations of one training step: the forward pass, and twice as many backward.

    Args:
        config: the shape of the model.
        n: the sequence length, in tokens.
        n_source: the length of the source in an encoder-decoder.
        batch: the number of sequences in a step.

    Raises:
        ValueError: as `forward_flops`.

    Source: Kaplan et al. (2020), section 2.1: about 6 N for each token.
    """
    forward = forward_flops(config, n, n_source, batch=batch)
    return Flops(*((1 + BACKWARD) * part for part in forward))


def decoding_flops(config: Configuration, n_past: int, n_source: int = 0) -> Flops:
    """Return the operations of decoding one more token, with the earlier keys and values cached.

    Args:
        config: the shape of a model with a decoder.
        n_past: the number of tokens before it.
        n_source: the length of the source in an encoder-decoder, which is already encoded.

    Raises:
        ValueError: a number is out of its range, or the model has no decoder.

    Source: Shazeer (2019), section 2.4.1.

    >>> sizes = {"vocabulary_size": 10, "d_model": 4, "heads": 2, "layers": 1, "d_ff": 8}
    >>> config = Configuration(kind="decoder", **sizes)
    >>> decoding_flops(config, 2)
    Flops(projections=128, attention=48, feed_forward=128, head=80)
    """
    _check(config, n_past + 1, n_source)
    if not config.has_decoder:
        raise ValueError("config must be of a model with a decoder, got kind 'encoder'")
    seen = min(n_past + 1, config.window or n_past + 1)
    projections, attention = _projections(config, 1, 1), _attention(config, 1, seen)
    if config.has_encoder:  # keys and values of the source are there
        projections += _projections(config, 1, 0)
        attention += _attention(config, 1, n_source)
    return Flops(
        projections=config.layers * projections,
        attention=config.layers * attention,
        feed_forward=config.layers * _feed_forward(config, 1),
        head=_head(config, 1),
    )


def _check(config: Configuration, n: int, n_source: int) -> None:
    checks.count(1, n=n)
    both = config.has_encoder and config.has_decoder
    checks.count(int(both), n_source=n_source)
    if n_source and not both:
        raise ValueError(f"n_source is for an encoder-decoder, got kind {config.kind!r}")


def _projections(config: Configuration, queries: int, keys: int) -> int:
    wide, shared = config.heads * config.d_k, config.h_kv * config.d_k
    return PER_PRODUCT * config.d_model * 2 * (queries * wide + keys * shared)


def _attention(config: Configuration, queries: int, keys: int) -> int:
    return PER_PRODUCT * 2 * queries * keys * config.heads * config.d_k


def _feed_forward(config: Configuration, n: int) -> int:
    matrices = 3 if config.activation in GATED else 2
    return PER_PRODUCT * n * matrices * config.d_model * config.d_ff


def _head(config: Configuration, n: int) -> int:
    columns = config.vocabulary_size + config.head_transform * config.d_model
    return PER_PRODUCT * n * config.d_model * columns
