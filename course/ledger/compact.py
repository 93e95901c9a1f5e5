"""Many small entries in one table, a line each: for a table of the notes that works every cell."""

from html import escape
from pathlib import Path

from course.ledger.entries import Number
from course.ledger.recomputation import agreement
from course.ledger.table import MARKS, cells, find, framed, written
from course.style import STYLE
from transformer_lib.plot.markup import Markup

HEAD = ("where", "printed", "recomputed", "")


def compact(*ids: str, path: Path | str | None = None) -> Markup:
    """Show entries as lines of one table: what is printed, the same from the start, a mark.

    Args:
        ids: entries or beginnings of ids, as `show` takes them.
        path: the ledger's file, that of this repository unless given.

    Raises:
        ValueError: an id is neither an entry nor the beginning of one.
    """
    numbers = find(*ids, path=path)
    body = "".join(f"<tr>{_line(number)}</tr>" for number in numbers)
    html = framed(HEAD, body, "Printed numbers beside recomputed ones")
    return Markup(html, "\n".join(_text(number) for number in numbers), (STYLE,))


def _line(number: Number) -> str:
    printed = cells(number.printed, agreement(number.printed, number.chain))
    values = (
        escape(number.where, quote=False),
        printed if number.printed else "(nothing)",
        cells(written(number.chain, number.printed), None),
        f'<span class="tl-mark">{MARKS[number.chain_verdict]}</span>{_said(number)}',
    )
    return "".join(f"<td>{value}</td>" for value in values)


def _said(number: Number) -> str:
    said = escape(number.diagnosis, quote=False)
    return f'<p class="tl-diagnosis">{said}</p>' if said else ""


def _text(number: Number) -> str:
    values = (number.printed, written(number.chain, number.printed))
    printed, ours = (str(value).replace("'", "") for value in values)
    mark = MARKS[number.chain_verdict]
    return f"{number.where}: {printed} | {ours} | {mark} {number.diagnosis}".rstrip()
