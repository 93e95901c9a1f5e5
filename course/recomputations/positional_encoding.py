"""What the notes' positional encodings come to, cell by cell, and the slips made there."""

import numpy as np

from transformer_lib.formulas.block import residual
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.position import frequencies, sinusoidal


def divisor(column: float, d_model: float) -> float:
    """Return what the position is divided by in a column: 10000^(2i / d_model), i = column // 2."""
    return float(1 / frequencies(int(d_model), like=np.empty(0))[int(column) // 2])


def sine(pos: float, divisor: float) -> float:
    """Return an even column's entry."""
    return float(np.sin(pos / divisor))


def cosine(pos: float, divisor: float) -> float:
    """Return an odd column's entry."""
    return float(np.cos(pos / divisor))


def encoding(pos: float, d_model: float) -> Array:
    """Return the whole encoding of one position."""
    return sinusoidal(1, int(d_model), like=np.empty(0), offset=int(pos))[0]


def assembled(**cells: float) -> Array:
    """Write the sixteen cells of a table as a matrix."""
    return np.array([cells[name] for name in sorted(cells)]).reshape(4, 4)


def row(matrix: Array, position: float) -> Array:
    """Return the encoding of one position from the matrix of all."""
    return matrix[int(position)]


def added(embedding: Array, encoding: Array) -> Array:
    """Add the encoding of its position to an embedding."""
    return residual(embedding, encoding)


def divisor_of_first_pair(column: float, d_model: float) -> float:
    """Use i = 0 in every column (a slip)."""
    return divisor(0.0, d_model)


def cosine_cut(pos: float, divisor: float, decimals: float) -> float:
    """Cut the digits of a cosine off instead of rounding them (a slip)."""
    return float(np.trunc(cosine(pos, divisor) * 10**decimals) / 10**decimals)


def sines_of_columns(pos: float, d_model: float) -> Array:
    """Take the sine of the number of the column, where the position belongs (a slip)."""
    return np.sin(np.arange(d_model))


def undivided(pos: float, d_model: float) -> Array:
    """Leave the position undivided, so that every pair repeats the first (a slip)."""
    return sinusoidal(1, int(d_model), like=np.empty(0), offset=int(pos), base=1.0)[0]
