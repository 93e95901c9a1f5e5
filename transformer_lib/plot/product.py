"""A matrix product as it is drawn on a board: the row meets the column at the entry."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer_lib.plot.heat_map import grid
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, bracketed, fixed, shown
from transformer_lib.plot.style import PARTS_SCRIPT, PARTS_STYLE, TABLE_STYLE

Labels = Sequence[object] | None
HINT = "Point at an entry of the result, or move with the arrow keys."


class Entry(NamedTuple):
    """A place in a matrix, counted from 0."""

    row: int
    column: int


def product(
    A: Any,
    B: Any,
    *,
    names: tuple[str, str, str] = ("A", "B", "A B"),
    rows: Labels = None,
    inner: Labels = None,
    columns: Labels = None,
    roles: tuple[str, str, str] = ("", "", ""),
    decimals: int = 4,
) -> Markup:
    """Show A B with B above the result; each entry highlights its row and column and its sum.

    Args:
        A: the left matrix, (n, k).
        B: the right matrix, (k, m).
        names: the names of A, of B and of the product.
        rows: a label for each row of A.
        inner: a label for each column of A, which is a row of B.
        columns: a label for each column of B.
        roles: what A, B and the product are: "query", "key", "value", "weight", or "" for none.
        decimals: how many decimals each number shows.

    Raises:
        ValueError: A or B is not a matrix, their shapes do not fit, or labels do not fit them.

    >>> product([[1, 2]], [[3], [4]], decimals=0)
    A = [1  2]
    B = [3]
        [4]
    A B = [11]
    row 1 of A with column 1 of B: 1 · 3 + 2 · 4 = 11
    """
    left, right = as_matrix(A, "A"), as_matrix(B, "B")
    if left.shape[1] != right.shape[0]:
        raise ValueError(
            "B must have as many rows as A has columns: "
            f"A is shape {left.shape}, B is shape {right.shape}"
        )
    result = left @ right
    sides = zip("lrp", (left, right, result), names, roles, strict=True)
    labels = {"l": (rows, inner), "r": (inner, columns), "p": (None, None)}
    at = first(result.round(decimals))
    below, above, met = (_table(s, m, n, role, *labels[s], decimals, at) for s, m, n, role in sides)
    said = spelled(left[at.row], right[:, at.column], result[at], decimals)
    html = (
        f'<div class="tl-product"><div class="tl-over">{above}</div>{below}{met}'
        f'<output class="tl-sum">{escape(said)}</output><small>{HINT}</small></div>'
    )
    named = zip((left, right, result), names, strict=True)
    printed = [bracketed(numbers, decimals, f"{name} = ") for numbers, name in named]
    where = f"row {at.row + 1} of {names[0]} with column {at.column + 1} of {names[1]}: {said}"
    return Markup(html, "\n".join([*printed, where]), (TABLE_STYLE, PARTS_STYLE, PARTS_SCRIPT))


def first(result: NDArray[np.float64]) -> Entry:
    """Return the entry of a product that shows first: the first that is not zero, if there is one.

    >>> first(np.array([[0.0, 2.0], [1.0, 0.0]])), first(np.zeros((1, 1)))
    (Entry(row=0, column=1), Entry(row=0, column=0))
    """
    return Entry(*map(int, np.unravel_index((result != 0).argmax(), result.shape)))


def spelled(
    row: NDArray[np.float64], column: NDArray[np.float64], sum: float, decimals: int
) -> str:
    """Write out a dot product with the numbers as they are shown.

    >>> spelled(np.array([0.5, 1.0]), np.array([0.25, -2.0]), -1.875, 2)
    '0.50 · 0.25 + 1.00 · −2.00 ≈ −1.88'
    """
    pairs = [(fixed(a, decimals), fixed(b, decimals)) for a, b in zip(row, column, strict=True)]
    total, printed = float(np.sum([float(a) * float(b) for a, b in pairs])), fixed(sum, decimals)
    exact = fixed(total, decimals) == printed and abs(total - float(printed)) < 1e-9
    terms = " + ".join(f"{a} · {b}" for a, b in pairs)
    return f"{terms} {'=' if exact else '≈'} {printed}".replace("-", "−")


def _table(
    side: str,
    numbers: NDArray[np.float64],
    name: str,
    role: str,
    rows: Labels,
    columns: Labels,
    decimals: int,
    at: Entry,
) -> str:
    for what, labels, count in zip(
        ("rows", "columns"), (rows, columns), numbers.shape, strict=True
    ):
        if labels is not None and len(labels) != count:
            raise ValueError(f"labels must name all {count} {what} of {name}, got {len(labels)}")
    cells = [
        [_cell(side, Entry(i, j), x, decimals, at) for j, x in enumerate(line)]
        for i, line in enumerate(numbers)
    ]
    kind = f"tl-role-{role}" if role else ""
    caption = f'<caption class="{kind}">{escape(name)} <small>{numbers.shape}</small></caption>'
    return (
        f'<div class="tl-box"><table class="tl-table tl-side-{side}">'
        f"{caption}{grid(cells, rows, columns)}</table></div>"
    )


def _cell(side: str, cell: Entry, value: float, decimals: int, at: Entry) -> str:
    lit = {"l": cell.row == at.row, "r": cell.column == at.column, "p": cell == at}[side]
    classes = ' class="tl-lit"' if lit else ""
    place = f' tabindex="{0 if lit else -1}"' if side == "p" else ""
    where = f'data-i="{cell.row}" data-j="{cell.column}"'
    return f"<td{classes}{place} {where}>{shown(value, decimals)}</td>"
