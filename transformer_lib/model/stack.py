"""The stacks as functions of a dictionary of parameters."""

from jaxtyping import Bool, Float, Int, Num

from transformer_lib.formulas.attention import Attend
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.block import Kernels
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Bound, Stack


def encoder(
    parameters: Parameters,
    config: Configuration,
    X: Num[Operand, "... n d_model"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    positions: Int[Operand, "..."] | None = None,
    prefix: str = "encoder.",
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Run all layers of the encoder on embedded tokens.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        mask: broadcasts to (..., n, n), such as a padding mask, or None to attend to all.
        positions: rotary positions that are not counted from 0, (..., n), or None.
        prefix: the start of the parameters' names.
        attend: the function that computes each head instead of `attention_steps`.
        record: called with the name and value of every intermediate result.

    Raises:
        ValueError: for the same reasons as `layer`.

    Source: Vaswani et al. (2017), section 3.1, "Encoder".

    >>> import numpy as np
    >>> config = Configuration(kind="encoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> encoder({}, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    part = Stack(Bound(parameters, config, Kernels(attend), record), prefix, sees_all=True)
    return part(X, mask=mask, positions=positions)


def decoder(
    parameters: Parameters,
    config: Configuration,
    X: Num[Operand, "... n d_model"],
    memory: Num[Operand, "... n_memory d_model"] | None = None,
    mask: Bool[Operand, "..."] | None = None,
    *,
    memory_mask: Bool[Operand, "..."] | None = None,
    positions: Int[Operand, "..."] | None = None,
    cache: Cache | None = None,
    prefix: str = "decoder.",
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Run all layers of the decoder on embedded tokens, with the causal mask.

    Args:
        parameters: arrays by name: those of layer i after `prefix` and "layers.i.".
        config: the shape of the model.
        X: embedded tokens, (..., n, d_model).
        memory: the output of the encoder, (..., n_memory, d_model), or None.
        mask: combined with the causal mask, broadcasts to (..., n, n_past + n), or None.
        memory_mask: the mask of cross-attention, broadcasts to (..., n, n_memory), or None.
        positions: rotary positions that are not counted from n_past, (..., n), or None.
        cache: the keys and values of the n_past rows before X, which the call extends, or None.
        prefix: the start of the parameters' names.
        attend: the function that computes each head instead of `attention_steps`.
        record: called with the name and value of every intermediate result.

    Raises:
        ValueError: the cache does not have one entry per layer, or for a reason listed in `layer`.

    Source: Vaswani et al. (2017), section 3.1, "Decoder".

    >>> import numpy as np
    >>> config = Configuration(kind="decoder", vocabulary_size=5, d_model=2, heads=1, layers=0)
    >>> decoder({}, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    of, cross = Bound(parameters, config, Kernels(attend), record), memory is not None
    part = Stack(of, prefix, sees_all=False, cross=cross)
    return part(X, memory, mask, memory_mask=memory_mask, positions=positions, cache=cache)
