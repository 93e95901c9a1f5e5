"""A plain table of results, one column per name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import fixed, shown
from transformer_lib.plot.style import TABLE_STYLE


def table(columns: Mapping[str, Sequence[Any]], *, title: str = "", decimals: int = 4) -> Markup:
    """Show columns of numbers, words and truth values, each under its name.

    Words are aligned left in their column, and numbers are aligned right.

    Args:
        columns: the entries of each column by its name; all columns are equally long.
        title: shown above the table.
        decimals: how many decimals a float shows; integers show none.

    Raises:
        ValueError: no column is given, or the columns differ in length.

    >>> table({"d_k": [4, 64], "largest": [0.5, 0.25]}, decimals=2)
    d_k  largest
      4     0.50
     64     0.25
    >>> table({"model": ["rnn", "Transformer"], "layers": [1, 12]})
    model        layers
    rnn               1
    Transformer      12
    """
    lengths = {name: len(entries) for name, entries in columns.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(f"columns must be one or more of equal length, got lengths {lengths}")
    rows = list(zip(*columns.values(), strict=True))
    kinds = [' class="tl-words"' if _are_words(entries) else "" for entries in columns.values()]
    head = "".join(
        f'<th scope="col"{kind}><b>{escape(name)}</b></th>'
        for name, kind in zip(columns, kinds, strict=True)
    )
    body = "".join(f"<tr>{_row(row, kinds, decimals)}</tr>" for row in rows)
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    html = (
        # The caption names the table: the same words would be heard of its box, too.
        '<div class="tl-box" tabindex="0" role="group" aria-label="Table">'
        f'<table class="tl-table">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table></div>"
    )
    return Markup(html, _text(columns, rows, title, decimals), (TABLE_STYLE,))


def _row(row: Sequence[Any], kinds: Sequence[str], decimals: int) -> str:
    return "".join(
        f"<td{kind}>{escape(_cell(entry, decimals))}</td>"
        for entry, kind in zip(row, kinds, strict=True)
    )


def _are_words(entries: Sequence[Any]) -> bool:
    """Return whether most entries begin with a letter: a number may be a string too."""
    return 2 * sum(isinstance(e, str) and e[:1].isalpha() for e in entries) > len(entries)


def _cell(entry: Any, decimals: int, *, plain: bool = False) -> str:
    if isinstance(entry, bool | np.bool_):
        return "yes" if entry else "no"
    if isinstance(entry, float | np.floating):
        return (fixed if plain else shown)(float(entry), decimals)
    if isinstance(entry, int | np.integer):
        return f"{int(entry):,}" if abs(int(entry)) >= 10_000 else str(int(entry))
    return str(entry)


def _text(
    columns: Mapping[str, Sequence[Any]], rows: list[tuple[Any, ...]], title: str, decimals: int
) -> str:
    cells = [list(columns)] + [[_cell(e, decimals, plain=True) for e in row] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    put = [str.ljust if _are_words(entries) else str.rjust for entries in columns.values()]
    lines = [
        "  ".join(side(c, w) for side, c, w in zip(put, line, widths, strict=True)).rstrip()
        for line in cells
    ]
    return "\n".join([title] * bool(title) + lines)
