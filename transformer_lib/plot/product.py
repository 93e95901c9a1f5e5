"""A matrix product as it is drawn on a board: the row meets the column at the entry."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transformer_lib.plot.heat_map import grid
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, bracketed, fixed, shown
from transformer_lib.plot.style import PARTS_SCRIPT, PARTS_STYLE, TABLE_STYLE

Labels = Sequence[object] | None
HINT = "Point at an entry of the result, or move with the arrow keys."


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
    below, above, met = (_table(s, m, n, role, *labels[s], decimals) for s, m, n, role in sides)
    said = spelled(left[0], right[:, 0], result[0, 0], decimals)
    html = (
        f'<div class="tl-product"><div class="tl-over">{above}</div>{below}{met}'
        f'<output class="tl-sum">{escape(said)}</output><small>{HINT}</small></div>'
    )
    named = zip((left, right, result), names, strict=True)
    printed = [bracketed(numbers, decimals, f"{name} = ") for numbers, name in named]
    where = f"row 1 of {names[0]} with column 1 of {names[1]}: {said}"
    return Markup(html, "\n".join([*printed, where]), (TABLE_STYLE, PARTS_STYLE, PARTS_SCRIPT))


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
) -> str:
    for what, labels, count in zip(
        ("rows", "columns"), (rows, columns), numbers.shape, strict=True
    ):
        if labels is not None and len(labels) != count:
            raise ValueError(f"labels must name all {count} {what} of {name}, got {len(labels)}")
    cells = [
        [_cell(side, i, j, x, decimals) for j, x in enumerate(line)]
        for i, line in enumerate(numbers)
    ]
    kind = f"tl-role-{role}" if role else ""
    caption = f'<caption class="{kind}">{escape(name)} <small>{numbers.shape}</small></caption>'
    return (
        f'<div class="tl-box"><table class="tl-table tl-side-{side}">'
        f"{caption}{grid(cells, rows, columns)}</table></div>"
    )


def _cell(side: str, i: int, j: int, value: float, decimals: int) -> str:
    lit = {"l": i == 0, "r": j == 0, "p": i == j == 0}[side]
    classes = ' class="tl-lit"' if lit else ""
    place = f' tabindex="{0 if lit else -1}"' if side == "p" else ""
    return f'<td{classes}{place} data-i="{i}" data-j="{j}">{shown(value, decimals)}</td>'
