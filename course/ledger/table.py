"""The table that shows entries: printed beside recomputed, a mark, the diagnosis."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from course.ledger import printed
from course.ledger.entries import Number, load
from course.ledger.recomputation import agreement
from course.style import STYLE
from transformer_lib.plot.markup import Markup

MARKS = {"agrees": "✓ agrees", "disagrees": "✗ disagrees", "ill-posed": "∅ ill-posed"}


def show(*ids: str, path: Path | str | None = None) -> Markup:
    """Show entries of the ledger, printed beside recomputed.

    Args:
        ids: entries in the order wanted, or beginnings of ids up to a dot: "002.4a" shows all
            entries of that section.
        path: the ledger's file, that of this repository unless given.

    Raises:
        ValueError: an id is neither an entry nor the beginning of one.
    """
    return table(find(*ids, path=path))


def find(*ids: str, path: Path | str | None = None) -> list[Number]:
    """Return the entries of these ids or beginnings of ids: see `show`."""
    ledger = load(path)
    found = [
        number
        for name in ids
        for number in ledger.numbers.values()
        if number.id == name or number.id.startswith(f"{name}.")
    ]
    beginnings = {number.id for number in found}
    unknown = [n for n in ids if not any(b == n or b.startswith(f"{n}.") for b in beginnings)]
    if unknown:
        raise ValueError(f"ids must be entries of the ledger, {unknown} are not")
    return found


def table(numbers: Sequence[Number], *, ids: bool = False) -> Markup:
    """Show these entries, with their ids and an anchor for each where `ids` is set."""
    items = "".join(_entry(number, ids) for number in numbers)
    html = f'<ul class="tl-ledger" aria-label="Printed numbers beside recomputed ones">{items}</ul>'
    return Markup(html, "\n\n".join(_text(number, ids) for number in numbers), (STYLE,))


def framed(head: Iterable[str], body: str, label: str) -> str:
    """Put rows below their heads, in a box that scrolls by itself."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="tl-ledger" role="region" tabindex="0" aria-label="{label}">'
        f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _entry(number: Number, with_id: bool) -> str:
    name = f" <small><code>{escape(number.id)}</code></small>" if with_id else ""
    printed = cells(number.printed, agreement(number.printed, number.step))
    columns = [("printed", printed)]
    same = number.step == number.chain and number.verdict == number.chain_verdict
    step = "recomputed" if same else "from the numbers printed before it"
    columns.append((step, _judged(number, number.step, number.verdict)))
    if not same:
        columns.append(("from the start", _judged(number, number.chain, number.chain_verdict)))
    body = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in columns)
    said = f"{_prose(number.diagnosis)} {_beside(number)}".strip()
    note = f'<p class="tl-diagnosis">{said}</p>' if said else ""
    anchor = f' id="entry-{_anchor(number.id)}"' if with_id else ""
    return (
        f'<li class="tl-entry"{anchor}><p class="tl-where">{_prose(number.where)}{name}</p>'
        f"<dl>{body}</dl>{note}</li>"
    )


def _unless_same(number: Number) -> Any:
    """Return what the start of the chain gives, or a word where the step gives just that."""
    return "the same:" if number.chain == number.step is not None else number.chain


def _judged(number: Number, value: Any, verdict: str) -> str:
    shown = "" if value is None else cells(written(value, number.printed), None) + " "
    return f'{shown}<span class="tl-mark">{MARKS[verdict]}</span>'


def _beside(number: Number) -> str:
    counted = ""
    if number.counted is not None:
        share = number.printed.endswith("%")
        counted = f"{number.counted:.1%}" if share else f"{number.counted:,.0f}"
        counted = f"Our own count: {counted}."
    source = f"Source: {_prose(number.source)}." if number.source else ""
    return " ".join(filter(None, (counted, source)))


def cells(value: Any, good: Any) -> str:
    """Write a scalar as it is, a vector or matrix as a small table; strike what disagrees."""
    if not isinstance(value, list):
        return f"<del>{_formula(value)}</del>" if good is False else _formula(value)
    if not value or not isinstance(value[0], list):
        value, good = [value], None if good is None else [good]
    body = ""
    for i, row in enumerate(value):
        marks = [None] * len(row) if good is None else good[i]
        inner = [f"<td>{cells(*pair)}</td>" for pair in zip(row, marks, strict=True)]
        body += f"<tr>{''.join(inner)}</tr>"
    return f'<table class="tl-matrix"><tbody>{body}</tbody></table>'


def _formula(text: str) -> str:
    """Write sqrt(3) as a root and exp(x) as a power, and let a long sum break into lines."""
    text = re.sub(r"sqrt\((\w+)\)", r"√\1", escape(text))
    if "exp(" in text:
        text = re.sub(r"([+/])", r"\1<wbr>", text)
    return re.sub(r"exp\(([^)]*)\)", r"e<sup>\1</sup>", text)


def written(value: Any, like: Any) -> Any:
    """Write a value at four decimals, or in the unit of the printed figure beside it."""
    if isinstance(value, list):
        return [written(item, like) for item in value]
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
        shown = "" if value is None else line(written(value, number.printed)) + "  "
        parts.append(f"  {label} {shown}{MARKS[verdict]}")
    said = f"{number.diagnosis} {_beside(number)}".strip()
    return "\n".join(parts + ([f"  {said}"] if said else []))
