"""The input of a stack: embedded tokens and their positions."""

from jaxtyping import Int, Num

from transformer_lib.formulas.operand import Operand
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Bound, Embedding
from transformer_lib.model.rows import EmbeddingSteps as EmbeddingSteps


def embedding_steps(
    parameters: Parameters,
    config: Configuration,
    ids: Int[Operand, "... n"],
    *,
    offset: int = 0,
    positions: Int[Operand, "... n"] | None = None,
    types: Int[Operand, "... n"] | None = None,
    tokens: Num[Operand, "V d_model"] | None = None,
    prefix: str = "embedding.",
) -> EmbeddingSteps:
    """Look tokens up, add their positions and types, and normalize if the model has a norm here.

    Args:
        parameters: arrays by name, each after `prefix`: "tokens", and "positions" if learned.
        config: the shape of the model.
        ids: token ids, (..., n).
        offset: the position of the first id, from which the other positions are counted.
        positions: the position of each id, (..., n), instead of those counted from offset.
        types: the type of each id, (..., n), in a model that has types; all 0 by default.
        tokens: the embedding matrix, for a source that shares it with the target.
        prefix: "embedding." or, if the encoder has its own vocabulary, "source_embedding.".

    Raises:
        ValueError: ids are not ids of this vocabulary, a learned position is past the end of its
            table, or a parameter is missing or has another shape.

    Source: Vaswani et al. (2017), sections 3.4, 3.5 and 5.4.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=2, d_model=1, heads=1, position="none"
    ... )
    >>> E = np.array([[3.0], [4.0]])
    >>> embedding_steps({"embedding.tokens": E}, config, np.array([1])).output
    array([[4.]])
    """
    part = Embedding(Bound(parameters, config), prefix)
    return part.steps(ids, offset=offset, positions=positions, types=types, tokens=tokens)
