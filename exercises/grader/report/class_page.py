"""Build a page with tables of a whole class, for a telephone and for the dark, sorted at a click.

The page loads nothing from another host and runs only the script below; without it the tables
remain unsorted.
"""

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --line: #d5d5d5; --bad: #a02c18;
  --link: #0b57a4; --bar: #4a7ebb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --line: #3b3f46;
  --bad: #ff9a85; --link: #8ab8f0; --bar: #6c9bd2; } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 90rem;
  color: var(--ink); background: var(--paper); }
a { color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { padding: .2rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
tbody th { font-weight: normal; }
.wide th:first-child { position: sticky; left: 0; background: var(--paper); min-width: 6rem;
  max-width: 20rem; overflow-wrap: break-word; }
@media (width < 40rem) { .wide th:first-child { max-width: 9rem; } }
.number { text-align: right; }
.said { min-width: 10rem; max-width: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.bad { color: var(--bad); font-weight: 600; }
small { display: block; min-width: 5rem; max-width: 12rem; margin-left: auto; }
tbody th small { margin-left: 0; }
th button { all: unset; cursor: pointer; text-decoration: underline dotted; }
th button:focus-visible { outline: 2px solid currentColor; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
svg { max-width: 30rem; width: 100%; font-size: 12px; }
"""
SCRIPT = """
for (const table of document.querySelectorAll("table.sorted")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const key = (row, n) => row.cells[n].dataset.key ?? row.cells[n].textContent;
  const order = new Intl.Collator(undefined, {numeric: true}).compare;
  heads.forEach((head, n) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.ariaSort !== "ascending", sign = up ? 1 : -1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const compare = head.className === "number" ? (a, b) => a - b : order;
      const rows = [...body.rows].sort((a, b) => sign * compare(key(a, n), key(b, n)));
      body.append(...rows);
    });
  });
}
"""


class Cell(NamedTuple):
    """A cell: its HTML, what it is sorted by, its class."""

    html: str
    key: float | str = ""
    kind: str = ""


def page(title: str, body: str, style: str = STYLE, script: str = SCRIPT) -> str:
    """Return a whole page around `body`, which loads nothing from another host."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy += f"; script-src 'sha256-{digest}'"
        script = f"<script>{script}</script>"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    name = escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<title>{name}</title>'
        f"<style>{style}</style></head>\n<body><h1>{name}</h1>\n{body}\n{script}</body></html>\n"
    )


def table(heads: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table that can be sorted by each column; its first cells are heads of their rows."""
    top = "".join(f'<th scope="col"{_attributes(cell)}>{cell.html}</th>' for cell in heads)
    body = "\n".join(f"<tr>{_row(row)}</tr>" for row in rows)
    return (
        f'<div class="wide" tabindex="0"><table class="sorted"><thead><tr>{top}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row: Sequence[Cell]) -> str:
    first, *rest = row
    cells = [f"<td{_attributes(cell)}>{cell.html}</td>" for cell in rest]
    return f'<th scope="row"{_attributes(first)}>{first.html}</th>' + "".join(cells)


def _attributes(cell: Cell) -> str:
    key = f' data-key="{escape(str(cell.key))}"' if cell.key != "" else ""
    return key + (f' class="{cell.kind}"' if cell.kind else "")


def number(points: float | str, said: str = "") -> Cell:
    """Return a cell with points; a text is sorted before 0."""
    text = f"{points:g}" if isinstance(points, int | float) else escape(points)
    key = points if isinstance(points, int | float) else -1.0
    return Cell(text + said, key, "number")
