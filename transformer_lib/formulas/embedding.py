"""Embedding: each token id selects its row of a matrix."""

import math

import numpy as np
from jaxtyping import Float, Int, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, below, library, whole
from transformer_lib.formulas.operand import Operand


def _are_rows(ids: Array, E: Array, scale: bool) -> None:
    below(library(ids), E.shape[0], ids=ids)


@checked(_are_rows)
def embed(
    ids: Int[Operand, "*n"], E: Num[Operand, "V d_model"], *, scale: bool = False
) -> Float[Array, "*n d_model"]:
    """Return the row of E for every id, which equals one_hot(ids, V) @ E but needs no product.

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
    # torch's own lookup refuses an id below 0 where an index would not, and ids of fewer bits than
    # 32. numpy's `take` refuses ids of 64 bits on a machine of 32, such as a browser's.
    xp = library(E)
    embedded = E[ids] if xp is np else xp.embedding(E, xp.astype(ids, xp.int64, copy=False))
    return embedded * math.sqrt(E.shape[1]) if scale else embedded


def _are_below(ids: Array, V: int, like: Array | None) -> None:
    below(library(ids), V, ids=ids)


@checked(_are_below, V=whole)
def one_hot(
    ids: Int[Operand, "*n"], V: int, *, like: Num[Operand, "..."] | None = None
) -> Float[Array, "*n V"]:
    """Return a row of V numbers for every id: 1 at the id, 0 elsewhere.

    Args:
        ids: token ids, any shape.
        V: the size of the vocabulary.
        like: a float array that determines the dtype of the result.

    Raises:
        ValueError: ids are not integers from 0 to V - 1, V is not a positive integer, or `like` is
            not an array of floats.

    Source: Bengio et al. (2003), section 2, who look up words in this way.

    >>> import numpy as np
    >>> one_hot(np.array([2, 0]), 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    xp = library(ids)
    dtype = xp.asarray(0.0).dtype if like is None else like.dtype
    return xp.astype(ids[..., None] == xp.arange(V, device=ids.device), dtype)
