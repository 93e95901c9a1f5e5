"""A matrix that multiplies by einsum, for the Python of a page, whose numpy has no BLAS.

There `x @ W` waits for each addition to end, whereas `np.einsum` adds four products at a time.
Where numpy has a BLAS, einsum takes longer.
"""

from typing import Any

import numpy as np


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
        return np.einsum("...i,io->...o", x, self.view(np.ndarray))

    def __getitem__(self, key: Any) -> Any:
        return self.view(np.ndarray)[key]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [x.view(np.ndarray) if isinstance(x, EinsumMatrix) else x for x in inputs]
        if ufunc is np.matmul and isinstance(inputs[-1], EinsumMatrix) and not options:
            return np.einsum("...i,io->...o", *plain)
        return getattr(ufunc, method)(*plain, **options)
