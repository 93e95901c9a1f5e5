"""The whole model, a function from token ids to logits."""

from collections.abc import Collection
from typing import Any

from jaxtyping import Bool, Float, Int

from transformer_lib.formulas.attention import Attend
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.block import Kernels
from transformer_lib.model.cache import Cache
from transformer_lib.model.changes import followed
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Bound, Model
from transformer_lib.model.traced import traced


def forward(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    source: Int[Operand, "... n_source"] | None = None,
    *,
    mask: Bool[Operand, "... n"] | Int[Operand, "... n"] | None = None,
    source_mask: Bool[Operand, "... n_source"] | Int[Operand, "... n_source"] | None = None,
    positions: Int[Operand, "... n"] | None = None,
    source_positions: Int[Operand, "... n_source"] | None = None,
    types: Int[Operand, "... n"] | None = None,
    cache: Cache | None = None,
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n_new V"]:
    """Return the logits of a whole model, one row for each token of ids.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n); all of them from the first one, even with a cache.
        source: token ids of the encoder of an encoder-decoder, (..., n_source).
        mask: which ids are tokens and not padding, (..., n), as booleans or as 1 and 0. For an
            encoder, the default is all ids that are not `padding_id`. A decoder needs a mask only
            if padding comes first, because no token sees the padding after it.
        source_mask: which ids of the source are tokens; by default, those that are not
            `padding_id`.
        positions: the positions of the ids, (..., n); by default, they count the tokens of the mask
            or, without a mask, all ids. ALiBi and T5 count rows and accept no positions.
        source_positions: the same for the source.
        types: the type of each id, (..., n), such as which sentence of a pair contains it, in a
            model that has types; all 0 by default.
        cache: the cache that a call with the first of these ids has filled; only the remaining ids
            are then computed and added to the cache.
        attend: the function that computes each head instead of `attention_steps`.
        record: called with the name and value of every intermediate result, as `trace` keeps them;
            what it returns takes the place of the result, unless it is None (see `changing`).

    Raises:
        ValueError: the model has no head, ids are not ids of the vocabulary, source is missing or
            is given to a model other than an encoder-decoder, the cache is as long as ids or longer
            or does not belong to this model, a parameter is missing or has another shape, or the
            last rows are not finite.

    Source: Vaswani et al. (2017), section 3.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> E = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> forward({"embedding.tokens": E}, config, np.array([1])).round(4)
    array([[0.    , 5.6569]])
    """
    where = {"positions": positions, "source_positions": source_positions, "types": types}
    masks = {"mask": mask, "source_mask": source_mask}
    model = Model(Bound(parameters, config, Kernels(attend), record))
    return model(ids, source, **masks, **where, cache=cache)


def classify(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    *,
    attend: Attend | None = None,
    record: Record = ignore,
    **options: Array | None,
) -> Float[Array, "... classes"]:
    """Return a score for each class of a sequence, such as whether two sentences belong together.

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of an encoder with classes.
        ids: token ids, (..., n); the first token represents the whole sequence.
        attend: the function that computes each head instead of `attention_steps`.
        record: called with the name and value of every intermediate result.
        options: `mask`, `positions` and `types` of `forward`.

    Raises:
        ValueError: the model has no classes, or for a reason listed in `forward`.

    Source: Devlin et al. (2019), section 3.1, task 2 (next-sentence prediction).

    >>> import numpy as np
    >>> from transformer_lib.model.parameters import parameter_shapes
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=2, d_model=2, heads=1, layers=0, classes=3
    ... )
    >>> ones = {name: np.ones(shape) for name, shape in parameter_shapes(config).items()}
    >>> classify(ones, config, np.array([1, 0])).round(4)
    array([2.9997, 2.9997, 2.9997])
    """
    return Model(Bound(parameters, config, Kernels(attend), record)).classify(ids, **options)


def trace(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    source: Int[Operand, "... n_source"] | None = None,
    *,
    names: Collection[str] | None = None,
    until: str | None = None,
    record: Record = ignore,
    **options: Any,
) -> dict[str, Array]:
    """Return intermediate results of `forward` by name: all of them, unless names are given.

    The names in each layer, here of a decoder, are "decoder.layers.0.resid_pre", the residual
    stream at its input; "decoder.layers.0.self_attention.weights", (..., h, n, n), and the other
    steps of each attention layer; "attn_out", which attention adds, after dropout; "resid_mid", the
    stream between the sub-layers; "feed_forward.hidden" and the other steps; "mlp_out"; and
    "resid_post". With an encoder, there are also "cross_attn_out" and "resid_mid_cross". Outside
    the layers, the names are "embedding.tokens", "embedding.positions", "embedding.output",
    "encoder.output", "decoder.output" and "logits".

    Args:
        parameters: arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n).
        source: token ids of the encoder of an encoder-decoder, (..., n_source).
        names: the results to keep.
        until: the result after which the pass stops.
        record: called before a result is kept, and may replace it, as `changing` does.
        options: the other arguments of `forward`.

    Raises:
        ValueError: names or until are not of this pass, or for the same reasons as `forward`.

    Source: the names of the residual stream are those of TransformerLens (Nanda and Bloom, 2022).

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=2, heads=1, layers=0, position="none"
    ... )
    >>> list(trace({"embedding.tokens": np.eye(2)}, config, np.array([1])))
    ['embedding.tokens', 'embedding.output', 'decoder.output', 'logits']
    """
    attend = Kernels(options.pop("attend", None))

    def run(keep: Record) -> None:
        both = keep if record is ignore else followed(record, keep)
        model = Model(Bound(parameters, config, attend, both))
        (model.hidden if config.headless else model)(ids, source, **options)

    return traced(run, names, until)
