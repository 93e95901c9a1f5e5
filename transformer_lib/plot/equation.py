"""Matrices in brackets, one by itself or several in a line: A @ B = C."""

from collections.abc import Sequence
from typing import Any

from transformer_lib.plot.heat_map import describe, grid
from transformer_lib.plot.markup import Markup, escape, join
from transformer_lib.plot.numbers import as_matrix, bracketed, shown
from transformer_lib.plot.style import TABLE_STYLE

_SIGNS = {"@": "×", "*": "·", "-": "−"}


def matrix(array: Any, *, name: str = "", decimals: int = 4) -> Markup:
    """Show one small matrix in brackets, with its name below it.

    Raises:
        ValueError: array is not a matrix.

    >>> matrix([[1.0, 0.5]], name="Q", decimals=1)
    Q = [1.0  0.5]
    """
    numbers = as_matrix(array)
    cells = [
        [f'<td class="tl-math-cell">{shown(x, decimals)}</td>' for x in row] for row in numbers
    ]
    table = (
        '<div class="tl-box"><table class="tl-table tl-math" '
        f'aria-label="{escape(describe(numbers, title=name, decimals=decimals))}">'
        f"{grid(cells)}</table></div>"
    )
    # The label of the table says the name.
    below = f'<span aria-hidden="true">{escape(name)}</span>' if name else ""
    text = bracketed(numbers, decimals, f"{name} = " if name else "")
    return Markup(f'<div class="tl-named">{table}{below}</div>', text, (TABLE_STYLE,))


def equation(
    parts: Sequence[Any], *, names: Sequence[str] | None = None, decimals: int = 4
) -> Markup:
    """Show matrices and the signs between them in one line that wraps on a narrow screen.

    Args:
        parts: arrays, and strings between them: `[Q, "@", K.T, "=", scores]`.
        names: a name for each array, in order.
        decimals: how many decimals each number shows; a plain number among the parts is shown
            with as many.

    Raises:
        ValueError: an array is not a matrix, or the number of names is not that of arrays.

    >>> equation([[[2.0]], "@", [[3.0]], "=", [[6.0]]], decimals=0)
    [2] @ [3] = [6]
    """
    count = sum(not isinstance(part, str) for part in parts)
    if names is not None and len(names) != count:
        raise ValueError(f"names must name all {count} arrays, got {len(names)}")
    left = iter(names if names is not None else [""] * count)
    pieces = [
        _sign(part) if isinstance(part, str) else matrix(part, name=next(left), decimals=decimals)
        for part in parts
    ]
    line = join(pieces)
    one_line = all("\n" not in piece.text for piece in pieces)
    text = " ".join(piece.text for piece in pieces) if one_line else line.text
    return Markup(f'<div class="tl-row">{line.html}</div>', text, (TABLE_STYLE,))


def _sign(sign: str) -> Markup:
    return Markup(f'<span class="tl-op">{escape(_SIGNS.get(sign, sign))}</span>', sign)
