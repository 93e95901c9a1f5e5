"""The table that shows entries: printed beside recomputed, a mark, the diagnosis."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from transformer_lib.ledger import printed
from transformer_lib.ledger.entries import Number, load
from transformer_lib.ledger.recomputation import agreement

MARKS = {"agrees": "✓ agrees", "disagrees": "✗ disagrees", "ill-posed": "∅ ill-posed"}

# Colors come from the page; what is wrong is also bold and struck through, and says so in words.
STYLE = """<style>
.tl-ledger{overflow-x:auto;margin:1em 0}
.tl-ledger table{border-collapse:collapse;background:transparent;color:inherit;width:auto;margin:0}
.tl-ledger td,.tl-ledger th{background:transparent;color:inherit;padding:.3em .7em;
text-align:left;vertical-align:middle;font-weight:normal;border:0}
.tl-ledger thead th{font-weight:bold;border-bottom:2px solid currentColor;white-space:nowrap}
.tl-ledger tbody.tl-entry{border-bottom:1px solid var(--pst-color-border,currentColor)}
.tl-ledger table.tl-matrix{border-left:1.5px solid currentColor;
border-right:1.5px solid currentColor;border-radius:.3em}
.tl-ledger .tl-matrix td{padding:.05em .45em;text-align:right;
font-variant-numeric:tabular-nums}
.tl-ledger del{font-weight:bold;text-decoration:line-through;
color:var(--pst-color-danger,inherit)}
.tl-ledger .tl-mark{white-space:nowrap;font-weight:bold}
.tl-ledger .tl-where{min-width:9em}
.tl-ledger .tl-diagnosis td{padding-top:0;font-style:italic}
.tl-ledger .tl-diagnosis div{position:sticky;left:.7em;width:min(46em,80vw)}
</style>"""


class Table:
    """Something shown as HTML, or as plain text where there is no page."""

    def __init__(self, html: str, text: str) -> None:
        self.html = html
        self.text = text

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def show(*ids: str, path: Path | str | None = None) -> Table:
    """Show entries of the ledger, printed beside recomputed.

    Args:
        ids: the entries, in the order wanted.
        path: the ledger's file, that of this repository unless given.

    Raises:
        ValueError: an id is no entry.
    """
    ledger = load(path)
    if unknown := [name for name in ids if name not in ledger.numbers]:
        raise ValueError(f"ids must be entries of the ledger, {unknown} are not")
    return table([ledger.numbers[name] for name in ids])


def table(numbers: Sequence[Number], *, ids: bool = False) -> Table:
    """Show these entries, with their ids and an anchor for each where `ids` is set."""
    columns = ["Step", "Printed", "From the numbers printed", "From the start"]
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    bodies = "".join(_entry(number, ids) for number in numbers)
    html = (
        f'{STYLE}<div class="tl-ledger" role="region" tabindex="0" '
        'aria-label="Printed numbers beside recomputed ones">'
        f"<table><thead><tr>{head}</tr></thead>{bodies}</table></div>"
    )
    return Table(html, "\n\n".join(_text(number, ids) for number in numbers))


def _entry(number: Number, with_id: bool) -> str:
    note = _cells(number.printed, agreement(number.printed, number.step))
    name = f"<code>{escape(number.id)}</code><br>" if with_id else ""
    cells = (
        f'<th scope="row" class="tl-where">{name}{_prose(number.where)}</th><td>{note}</td>'
        f"<td>{_judged(number, number.step, number.verdict)}</td>"
        f"<td>{_judged(number, _unless_same(number), number.chain_verdict)}</td>"
    )
    said = f"{_prose(number.diagnosis)} {_beside(number)}".strip()
    row = f'<tr class="tl-diagnosis"><td colspan="4"><div>{said}</div></td></tr>' if said else ""
    anchor = f' id="entry-{_anchor(number.id)}"' if with_id else ""
    return f'<tbody class="tl-entry"{anchor}><tr>{cells}</tr>{row}</tbody>'


def _unless_same(number: Number) -> Any:
    """Return what the start of the chain gives, or a word where the step gives just that."""
    return "the same:" if number.chain == number.step is not None else number.chain


def _judged(number: Number, value: Any, verdict: str) -> str:
    shown = "" if value is None else _cells(_shown(value, number.printed), None) + " "
    return f'{shown}<span class="tl-mark">{MARKS[verdict]}</span>'


def _beside(number: Number) -> str:
    counted = ""
    if number.counted is not None:
        share = number.printed.endswith("%")
        counted = f"{number.counted:.1%}" if share else f"{number.counted:,.0f}"
        counted = f"Our own count: {counted}."
    source = f"Source: {_prose(number.source)}." if number.source else ""
    return " ".join(filter(None, (counted, source)))


def _cells(value: Any, good: Any) -> str:
    """Write a scalar as it is, a vector or matrix as a small table; strike what disagrees."""
    if not isinstance(value, list):
        return f"<del>{_formula(value)}</del>" if good is False else _formula(value)
    if not value or not isinstance(value[0], list):
        value, good = [value], None if good is None else [good]
    body = ""
    for i, row in enumerate(value):
        marks = [None] * len(row) if good is None else good[i]
        cells = [f"<td>{_cells(*pair)}</td>" for pair in zip(row, marks, strict=True)]
        body += f"<tr>{''.join(cells)}</tr>"
    return f'<table class="tl-matrix"><tbody>{body}</tbody></table>'


def _formula(text: str) -> str:
    """Write sqrt(3) as a root and exp(x) as a power, and let a long sum break into lines."""
    text = re.sub(r"sqrt\((\w+)\)", r"√\1", escape(text))
    if "exp(" in text:
        text = re.sub(r"([+/])", r"\1<wbr>", text)
    return re.sub(r"exp\(([^)]*)\)", r"e<sup>\1</sup>", text)


def _shown(value: Any, like: Any) -> Any:
    """Write a value at four decimals, or in the unit of the printed figure beside it."""
    if isinstance(value, list):
        return [_shown(item, like) for item in value]
    if isinstance(value, str):
        return value
    unit = re.search(r"\d(%| ?million| ?billion|b)$", like) if isinstance(like, str) else None
    if unit:
        return f"{value / float(printed.value('1' + unit[1])):g}{unit[1]}"
    whole = isinstance(like, str) and re.fullmatch(r"-?\d+", like)
    return f"{value:.0f}" if whole and value == round(value) else f"{value:.4f}"


def _prose(text: str) -> str:
    """Escape text; `code` in backquotes becomes code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))


def _anchor(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name)


def _text(number: Number, with_id: bool) -> str:
    def line(value: Any) -> str:
        return str(value).replace("'", "")

    parts = [f"{number.id}: {number.where}" if with_id else number.where]
    parts.append(f"  printed         {line(number.printed)}")
    for label, value, verdict in (
        ("recomputed     ", number.step, number.verdict),
        ("from the start ", _unless_same(number), number.chain_verdict),
    ):
        shown = "" if value is None else line(_shown(value, number.printed)) + "  "
        parts.append(f"  {label} {shown}{MARKS[verdict]}")
    said = f"{number.diagnosis} {_beside(number)}".strip()
    return "\n".join(parts + ([f"  {said}"] if said else []))
