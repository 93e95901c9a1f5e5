"""Checks of what multi-head attention is given."""

from types import ModuleType

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.linear import check_linear


def check_multi_head(
    arrays: dict[str, Array], h: int, h_kv: int
) -> tuple[ModuleType, dict[str, Array]]:
    """Return the library of the named arrays, and all of them as floats of one dtype."""
    xp = checks.namespace(**arrays)
    checks.count(1, h=h, h_kv=h_kv)
    if h % h_kv:
        raise ValueError(f"h must be a multiple of h_kv, got {h} and {h_kv}")
    floats = dict(zip(arrays, checks.real(xp, **arrays), strict=True))
    checks.at_least_rank(2, X=floats["X"], M=floats["M"])
    for rows, letter, heads in (("X", "Q", h), ("M", "K", h_kv), ("M", "V", h_kv)):
        names = (rows, f"W_{letter}", f"b_{letter}")
        check_linear(" ".join(names), floats[rows], floats[names[1]], floats.get(names[2]))
        width = floats[names[1]].shape[1]
        if width % heads or width == 0:
            raise ValueError(
                f"{names[1]} must have a width that {heads} heads can share, got {width}"
            )
    _check_widths(h // h_kv, **floats)
    return xp, floats


def _check_widths(
    group: int, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, b_O: Array | None = None, **_: Array
) -> None:
    """Raise ValueError unless heads of keys and values are as wide as those that read them."""
    over, times = ("", "") if group == 1 else (f", over {group}", f", times {group}")
    if W_Q.shape[1] != W_K.shape[1] * group:
        raise ValueError(
            f"W_K must have as many columns (h d_k) as W_Q{over}: "
            f"W_Q is {checks.shape_of(W_Q)}, W_K is {checks.shape_of(W_K)}"
        )
    checks.exact_rank(2, W_O=W_O)
    if W_O.shape[0] != W_V.shape[1] * group:
        raise ValueError(
            f"W_O must have as many rows as W_V has columns{times}: "
            f"W_V is {checks.shape_of(W_V)}, W_O is {checks.shape_of(W_O)}"
        )
    checks.exact_shape((W_O.shape[1],), b_O=b_O)


def check_past(
    past: tuple[Array, Array] | None,
    X: Array,
    M: Array,
    W_K: Array,
    W_V: Array,
    h: int,
    h_kv: int,
    **_: Array,
) -> tuple[int, ...]:
    """Return the shape of the scores, or raise ValueError where the past does not fit."""
    batch, n_past = checks.batch_shape(X=X, M=M), 0
    if past is not None:
        n_past = past[0].shape[-2]
        for name, array, W in (("past_K", past[0], W_K), ("past_V", past[1], W_V)):
            checks.namespace(M=M, **{name: array})
            checks.exact_shape((*M.shape[:-2], h_kv, n_past, W.shape[1] // h_kv), **{name: array})
    return (*batch, h, X.shape[-2], n_past + M.shape[-2])
