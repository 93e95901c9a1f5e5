"""A matrix that multiplies by einsum, for the Python of a page, whose numpy has no BLAS.

There `x @ W` waits for each addition to end, whereas `np.einsum` adds four products at a time.
Where numpy has a BLAS, einsum takes longer.
"""

from typing import Any

import numpy as np

MOST = 2**31 - 1
"""The most steps of one einsum where an index has 32 bits, as in a page."""


def product(x: Any, W: Any) -> Any:
    """Return x @ W, in pieces of rows where one einsum would be too large.

    Args:
        x: rows, (..., i).
        W: a matrix, (i, o).

    >>> product(np.ones((2, 1, 2)), np.array([[1.0, 2.0], [3.0, 4.0]])).shape
    (2, 1, 2)
    """
    if x.size * W.shape[-1] <= MOST:
        return np.einsum("...i,io->...o", x, W)
    rows, count = x.reshape(-1, x.shape[-1]), max(1, MOST // W.size)
    parts = [np.einsum("ni,io->no", rows[i : i + count], W) for i in range(0, len(rows), count)]
    return np.concatenate(parts).reshape(*x.shape[:-1], W.shape[-1])


class EinsumMatrix(np.ndarray):
    """A matrix W for which `x @ W` is an einsum; what is computed with W is a plain array.

    >>> W = np.array([[1.0, 2.0], [3.0, 4.0]]).view(EinsumMatrix)
    >>> np.ones((3, 2)) @ W
    array([[4., 6.],
           [4., 6.],
           [4., 6.]])
    >>> type(W[0]), type(W.mT)
    (<class 'numpy.ndarray'>, <class 'course.published.einsum.EinsumMatrix'>)
    """

    def __rmatmul__(self, x: Any) -> Any:
        return product(x, self.view(np.ndarray))

    def __getitem__(self, key: Any) -> Any:
        return self.view(np.ndarray)[key]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [x.view(np.ndarray) if isinstance(x, EinsumMatrix) else x for x in inputs]
        if ufunc is np.matmul and isinstance(inputs[-1], EinsumMatrix) and not options:
            return product(*plain)
        return getattr(ufunc, method)(*plain, **options)
