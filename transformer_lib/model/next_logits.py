"""Compute with a cache what every decoding method needs: the next token's logits after a prefix."""

from collections.abc import Callable, Sequence

from jaxtyping import Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.attention import Attend
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand
from transformer_lib.model.block import Kernels
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Bound, Model


def cached_next_logits(
    parameters: Parameters,
    config: Configuration,
    source: Int[Operand, " n_source"] | None = None,
    *,
    attend: Attend | None = None,
) -> Callable[[Sequence[int]], Array]:
    """Return a function from the ids so far to the logits of the next token, (V,).

    If a prefix continues an earlier one, only its new tokens are computed. The caches of the latest
    prefixes are kept, several of them if a beam search branches.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of a model with a decoder.
        source: token ids of the encoder of an encoder-decoder, (n_source,).
        attend: the function that computes each head instead of `attention_steps`.

    Raises:
        ValueError: the model has no decoder; the returned function raises the errors of `forward`.

    Source: the cache is common practice; see Shazeer (2019), section 2.4.1, for its cost.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> E = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> cached_next_logits({"embedding.tokens": E}, config)([0, 1]).round(4)
    array([0.    , 5.6569])
    """
    if not config.has_decoder:
        raise ValueError("config must be of a model with a decoder, got kind 'encoder'")
    model = Model(Bound(parameters, config, Kernels(attend)))
    table = model.embedding.tokens
    xp = checks.namespace(tokens=table)

    def run(known: tuple[int, ...], cache: Cache) -> Array:
        ids = xp.asarray(known, dtype=xp.int64, device=table.device)
        return model.last_logits(ids, source, cache=cache)

    return remembering(run, config.layers)


def remembering(
    run: Callable[[tuple[int, ...], Cache], Array], layers: int
) -> Callable[[Sequence[int]], Array]:
    """Return a function that keeps the caches of `run`, which extends the cache it is given."""
    caches: dict[tuple[int, ...], Cache] = {}

    def next_logits(prefix: Sequence[int]) -> Array:
        known = tuple(int(i) for i in prefix)
        longest = max((k for k in caches if k == known[: len(k)] != known), key=len, default=())
        cache = caches[longest].copy() if longest else Cache.empty(layers)
        scores = run(known, cache)
        # Beams ask for prefixes of one length in turn, which all go on from those one shorter. Any
        # other length is of a text that has ended.
        for old in [k for k in caches if len(k) not in (len(known) - 1, len(known))]:
            del caches[old]
        caches[known] = cache
        return scores

    return next_logits
