"""Small heat maps: tables with the numbers in them, tinted by one color map per meaning."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, fixed, largest, positive, settled, shown
from transformer_lib.plot.style import STRONGEST, TABLE_STYLE

Meaning = Literal["weights", "scores", "values"]
MOST_NAMED = 4  # equal places that a description names; more are counted


def heat_map(
    matrix: Any,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    *,
    title: str = "",
    meaning: Meaning = "weights",
    decimals: int = 4,
    limit: float | None = None,
) -> Markup:
    """Show a matrix as a table of tinted numbers, with a computed description.

    Args:
        matrix: a matrix or vector, as a NumPy array, a torch tensor or a nested list.
        rows: one label per row.
        columns: one label per column.
        title: shown above the table.
        meaning: "weights" (0 to 1, one color), "scores" (two colors, by sign) or "values" (plain).
        decimals: how many decimals each number shows.
        limit: the size that takes the strongest color; 1 for weights and the largest finite size
            for scores unless given. Give it if several maps are to be compared.

    Raises:
        ValueError: matrix is not a matrix, labels do not fit it, meaning is unknown, or limit is
            not positive.
    """
    array = as_matrix(matrix)
    if meaning not in ("weights", "scores", "values"):
        raise ValueError(f"meaning must be 'weights', 'scores' or 'values', got {meaning!r}")
    rows = _labels("rows", rows, array.shape[0])
    columns = _labels("columns", columns, array.shape[1])
    limit = _largest_size(array, meaning) if limit is None else positive("limit", limit)
    cells = [[_cell(x, meaning, limit, decimals) for x in row] for row in array]
    said = spoken(title, describe(array, rows, columns, decimals=decimals))
    caption = f"<caption>{escape(title)} <small>{array.shape}</small></caption>" if title else ""
    html = (
        f'<div class="tl-box"><table class="tl-table" {said}>'
        f"{caption}{grid(cells, rows, columns)}</table></div>"
    )
    return Markup(html, _text(array, rows, columns, title, decimals), (TABLE_STYLE,))


def describe(
    array: NDArray[np.float64],
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str = "",
    decimals: int = 4,
) -> str:
    """Describe in words what a matrix shows: its shape and the place of its largest value.

    Values that print alike count as equal, and all are named, or counted if they are many.

    >>> describe(np.array([[0.25, 0.75]]), ["They"], ["They", "Dragons"], "Weights", 2)
    'Weights: 1 row by 2 columns. The largest value is 0.75, in row They, column Dragons.'
    """
    n, m = array.shape
    shape = f"{n} row{'s' * (n > 1)} by {m} column{'s' * (m > 1)}."
    start = f"{title}: {shape}" if title else shape
    printed = [[shown(x, decimals) for x in row] for row in array]
    if not np.isfinite(array).any():
        return f"{start} No value is finite."
    if n * m > 1 and len({x for row in printed for x in row}) == 1:
        return f"{start} All values are {printed[0][0]}."
    row_names = [f"row {rows[i] if rows else f'{i + 1} of {n}'}, " for i in range(n)]
    if n > 1 and all(row == printed[0] for row in printed):
        start, array, row_names = f"{start} All rows are equal.", array[:1], [""]
    column_names = [f"column {columns[j] if columns else f'{j + 1} of {m}'}" for j in range(m)]
    places = [divmod(k, m) for k in largest(array.flat, decimals)]
    i, j = places[0]
    where = _where([row_names[i] + column_names[j] for i, j in places])
    return f"{start} The largest value is {printed[i][j]}, {where}."


def spoken(title: str, described: str) -> str:
    """Return the attribute by which a table is described; its caption names it, if it has one."""
    return f'aria-{"description" if title else "label"}="{escape(described)}"'


def _where(names: list[str]) -> str:
    if len(names) == 1:
        return f"in {names[0]}"
    if len(names) > MOST_NAMED:
        return f"equal in {len(names)} places"
    return f"equal: {'; '.join(names)}"


def _labels(name: str, labels: Sequence[object] | None, count: int) -> list[str] | None:
    if labels is None:
        return None
    if len(labels) != count:
        raise ValueError(f"{name} must name all {count} {name}, got {len(labels)} labels")
    return [str(label) for label in labels]


def _largest_size(array: NDArray[np.float64], meaning: Meaning) -> float:
    if meaning == "weights":
        return 1.0
    return float(np.max(np.abs(array), where=np.isfinite(array), initial=0.0)) or 1.0


def _cell(value: float, meaning: Meaning, limit: float, decimals: int) -> str:
    number = shown(value, decimals)
    if not np.isfinite(value):
        return f'<td class="tl-i">{number}</td>'
    tint = round(settled(min(abs(value) / limit, 1.0) * STRONGEST), 2)
    if meaning == "values" or tint == 0:
        return f"<td>{number}</td>"
    kind = "n" if value < 0 else "w" if meaning == "weights" else "p"
    return f'<td class="tl-{kind}" style="--a:{tint:g}">{number}</td>'


def grid(
    cells: Sequence[Sequence[str]],
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
) -> str:
    """Return the head and the body of a table whose cells are HTML; the labels are text."""
    corner = "<td></td>" if rows is not None else ""
    heads = "".join(f'<th scope="col">{escape(c)}</th>' for c in columns or ())
    thead = f"<thead><tr>{corner}{heads}</tr></thead>" if heads else ""
    names = [f'<th scope="row">{escape(r)}</th>' for r in rows] if rows else [""] * len(cells)
    body = "".join(f"<tr>{n}{''.join(row)}</tr>" for n, row in zip(names, cells, strict=True))
    return f"{thead}<tbody>{body}</tbody>"


def _text(
    array: NDArray[np.float64],
    rows: Sequence[object] | None,
    columns: Sequence[object] | None,
    title: str,
    decimals: int,
) -> str:
    table = [[fixed(x, decimals) for x in row] for row in array]
    if columns:
        table.insert(0, [str(c) for c in columns])
    if rows:
        labels = ([""] if columns else []) + [str(r) for r in rows]
        table = [[label, *row] for label, row in zip(labels, table, strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(c.rjust(w) for c, w in zip(r, widths, strict=True)) for r in table]
    heading = [f"{title} {array.shape}"] if title else []
    return "\n".join(heading + lines)
