"""Embedding: each token id picks its row of a matrix."""

import math
from types import ModuleType

import numpy as np
from jaxtyping import Float, Int, Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.operand import Operand


def embed(
    ids: Int[Operand, "*n"], E: Num[Operand, "V d_model"], *, scale: bool = False
) -> Float[Array, "*n d_model"]:
    """Return the row of E for every id, the same as one_hot(ids, V) @ E without the product.

    Args:
        ids: token ids, any shape.
        E: the embedding matrix, (V, d_model), one row per token.
        scale: multiply by sqrt(d_model), as the Transformer does before it adds positions.

    Raises:
        ValueError: ids are not integers from 0 to V - 1, or E is not a matrix of real numbers.

    Source: Vaswani et al. (2017), section 3.4.

    >>> import numpy as np
    >>> embed(np.array([2, 0]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    array([[5., 6.],
           [1., 2.]])
    """
    xp = checks.namespace(ids=ids, E=E)
    checks.integers(xp, ids=ids)
    checks.exact_rank(2, E=E)
    (E,) = checks.real(xp, E=E)
    checks.below(xp, E.shape[0], ids=ids)
    return embed_unchecked(xp, ids, E, scale=scale)


def embed_unchecked(xp: ModuleType, ids: Array, E: Array, *, scale: bool) -> Array:
    """Compute `embed` of ids that a caller has checked."""
    # torch's own lookup refuses an id below 0 where an index would not. numpy's `take` refuses ids
    # of 64 bits on a machine of 32, such as a browser's.
    embedded = E[ids] if xp is np else xp.embedding(E, ids)
    return embedded * math.sqrt(E.shape[1]) if scale else embedded


def one_hot(ids: Int[Operand, "*n"], V: int, *, like: Array | None = None) -> Float[Array, "*n V"]:
    """Return a row of V numbers for every id: 1 at the id, 0 elsewhere.

    Args:
        ids: token ids, any shape.
        V: the size of the vocabulary.
        like: a float array whose dtype the result takes.

    Raises:
        ValueError: ids are not integers from 0 to V - 1, V is not a positive integer, or `like` is
            not an array of floats.

    Source: Bengio et al. (2003), section 2, look up words this way.

    >>> import numpy as np
    >>> one_hot(np.array([2, 0]), 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    xp = checks.namespace(ids=ids, **checks.given(like=like))
    checks.integers(xp, ids=ids)
    checks.count(1, V=V)
    checks.below(xp, V, ids=ids)
    dtype = xp.asarray(0.0).dtype if like is None else checks.real(xp, like=like)[0].dtype
    return xp.astype(ids[..., None] == xp.arange(V, device=ids.device), dtype)
