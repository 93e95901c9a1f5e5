"""The bias that ALiBi or T5 adds to the attention scores of a stack."""

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.position_bias import alibi_bias, relative_bias, relative_buckets
from transformer_lib.model.configuration import Configuration


def position_bias(
    config: Configuration,
    X: Array,
    table: Array | None,
    *,
    n_past: int = 0,
    bidirectional: bool = False,
) -> Array | None:
    """Return the bias of ALiBi or T5 on the scores of each head, (h, n, n_past + n), or None."""
    n_q, n_k = X.shape[-2], n_past + X.shape[-2]
    if config.position == "alibi":
        return alibi_bias.formula(n_q, n_k, config.heads, like=X, offset=n_past)
    if config.position != "t5":
        return None
    buckets = relative_buckets.formula(
        n_q,
        n_k,
        like=X,
        bidirectional=bidirectional,
        buckets=config.buckets,
        max_distance=config.max_distance,
        offset=n_past,
    )
    assert table is not None  # T5 has one
    return relative_bias.formula(table, buckets)
