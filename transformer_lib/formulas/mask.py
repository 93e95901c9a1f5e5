"""Masks: boolean arrays that are True where a query may attend to a key."""

from jaxtyping import Bool, Float, Int, Shaped

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import NUMPY, Array, library, natural, whole
from transformer_lib.formulas.operand import Operand


@checked(n=natural, offset=natural, window=whole)
def causal_mask(
    n: int, *, like: Shaped[Operand, "..."] = NUMPY, offset: int = 0, window: int | None = None
) -> Bool[Array, "n n_k"]:
    """Let the token at each position attend to itself and to earlier positions only.

    Args:
        n: the number of queries, 0 or more.
        like: any array, numpy by default; the mask is created in its library and on its device.
        offset: the position of the first query. Decoding with a cache computes the last n of
            offset + n tokens, so the mask then has shape (n, offset + n).
        window: the number of positions that each token may attend to, the last being its own.

    Raises:
        ValueError: n or offset is negative or not an integer, window is not a positive integer, or
            `like` is not an array.

    Source: Vaswani et al. (2017), section 3.2.3; Jiang et al. (2023), section 2, for the window.

    >>> import numpy as np
    >>> causal_mask(3, like=np.empty(0))
    array([[ True, False, False],
           [ True,  True, False],
           [ True,  True,  True]])
    """
    positions = library(like).arange(offset + n, device=like.device)
    queries, keys = positions[offset:, None], positions[None, :]
    past = queries >= keys
    return past if window is None else past & (queries - keys < window)


@checked()
def padding_mask(ids: Int[Operand, "... n"], pad_id: int) -> Bool[Array, "... 1 n"]:
    """Let every query attend to the keys that are not padding.

    The axis of length 1 is that of the queries, so `causal_mask(...) & padding_mask(...)` is the
    mask of a decoder whose batch is padded.

    Raises:
        ValueError: ids is not an integer array with at least one axis.

    Source: common practice; the masking is that of Vaswani et al. (2017), section 3.2.3.

    >>> import numpy as np
    >>> padding_mask(np.array([[7, 8, 0]]), pad_id=0)
    array([[[ True,  True, False]]])
    """
    return ids[..., None, :] != pad_id


@checked()
def additive_mask(mask: Bool[Operand, "*shape"]) -> Float[Array, "*shape"]:
    """Convert a boolean mask to the matrix of 0 and -inf that papers add to the scores.

    Raises:
        ValueError: mask is not a boolean array.

    Source: Vaswani et al. (2017), section 3.2.3.

    >>> import numpy as np
    >>> additive_mask(np.array([[True, False]]))
    array([[  0., -inf]])
    """
    xp = library(mask)
    zero = xp.zeros(mask.shape, device=mask.device)
    return xp.where(mask, zero, -xp.inf)
