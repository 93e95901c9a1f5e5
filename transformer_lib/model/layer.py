"""One layer of the model as a function of a dictionary of parameters."""

from jaxtyping import Bool, Float, Int, Num

from transformer_lib.formulas.attention import Attend
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.record import Record, ignore
from transformer_lib.model.block import Kernels
from transformer_lib.model.cache import LayerCache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Block, Bound


def layer(
    parameters: Parameters,
    config: Configuration,
    X: Num[Operand, "... n d_model"],
    memory: Num[Operand, "... n_memory d_model"] | None = None,
    *,
    mask: Bool[Operand, "..."] | None = None,
    memory_mask: Bool[Operand, "..."] | None = None,
    bias: Num[Operand, "..."] | None = None,
    positions: Int[Operand, "..."] | None = None,
    cache: LayerCache | None = None,
    prefix: str = "",
    attend: Attend | None = None,
    record: Record = ignore,
) -> Float[Array, "... n d_model"]:
    """Run one layer: self-attention, cross-attention if a memory is given, and feed-forward.

    Args:
        parameters: arrays by name. A layer reads, after `prefix`, "self_attention.W_Q" and so on,
            "cross_attention.W_Q", "feed_forward.W_1", and "self_attention_norm.gain" and so on.
        config: the shape of the model.
        X: the residual stream, (..., n, d_model).
        memory: the output of the encoder, (..., n_memory, d_model), or None.
        mask: the mask of self-attention, broadcasts to (..., n, n), or None to attend to all. A
            decoder layer needs its causal mask here; `decoder` creates one.
        memory_mask: the mask of cross-attention, broadcasts to (..., n, n_memory), or None.
        bias: added to the scores of self-attention, broadcasts to (..., h, n, n), or None.
        positions: rotary positions that are not counted from 0, (..., n), or None.
        cache: the keys and values of the rows before X, which the call extends; `mask` and `bias`
            must then also cover those rows.
        prefix: the start of the names of this layer's parameters.
        attend: the function that computes each head instead of `attention_steps`.
        record: called with the name and value of every intermediate result.

    Raises:
        ValueError: a parameter is missing or has another shape, the rows do not have dimension
            d_model, or a mask is not boolean or does not fit.

    Source: Vaswani et al. (2017), section 3.1.

    >>> import numpy as np
    >>> config = Configuration(
    ...     kind="encoder", vocabulary_size=5, d_model=2, heads=1, d_ff=2, bias=False, place="pre"
    ... )
    >>> names = [f"self_attention.W_{x}" for x in "QKVO"] + ["feed_forward.W_1", "feed_forward.W_2"]
    >>> zeros = {name: np.zeros((2, 2)) for name in names}
    >>> gains = {f"{name}_norm.gain": np.ones(2) for name in ("self_attention", "feed_forward")}
    >>> layer(zeros | gains, config, np.array([[1.0, 2.0]]))
    array([[1., 2.]])
    """
    part = Block(
        Bound(parameters, config, Kernels(attend), record, prefix), cross=memory is not None
    )
    given = {"memory_mask": memory_mask, "bias": bias, "positions": positions, "cache": cache}
    return part(X, memory, mask, **given)
