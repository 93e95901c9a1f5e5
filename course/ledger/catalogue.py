"""The catalogue: how many entries agree, and all of them in one table that can be searched."""

from collections import Counter
from collections.abc import Iterable
from html import escape

from course.ledger.entries import Ledger, Statement
from course.ledger.table import MARKS, framed, table
from course.style import STYLE
from transformer_lib.plot.markup import Markup

VERDICTS = tuple(MARKS)

# What the book calls each note; chapters/sources.md gives title, author and year.
NAMES = {
    "000": "The linguistics slides",
    "001": "The slides in columns",
    "002": "The step-by-step notes",
    "003": "The Stanford note",
    "004": "The dragon notes",
}

# Shows the search box, which is of no use without it, and hides what does not match.
SCRIPT = """<script>
(() => {
  const all = document.getElementById("tl-catalogue");
  const box = document.getElementById("tl-find"), pick = document.getElementById("tl-verdict");
  const entries = [...all.querySelectorAll(".tl-entry")];
  const filter = () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !(text.includes(pick.value) && words.every((word) => text.includes(word)));
      found += !entry.hidden;
    }
    for (const part of all.querySelectorAll("details")) {
      part.hidden = !part.querySelector(".tl-entry:not([hidden])");
      if (words.length || pick.value) part.open = !part.hidden;
    }
    document.getElementById("tl-found").textContent = found + " of " + entries.length + " match";
  };
  box.addEventListener("input", filter);
  pick.addEventListener("change", filter);
  document.getElementById("tl-search").hidden = false;
  filter();
})();
</script>"""


def counts(ledger: Ledger) -> Markup:
    """Count, for each note, the entries by verdict, on steps and from the start of the chain."""
    head = ["note", "entries", *VERDICTS, *(f"{v}, from the start" for v in VERDICTS), "statements"]
    rows = [_count(ledger, note) for note in sorted({n.note for n in ledger.numbers.values()})]
    total = ["all", *(sum(column) for column in zip(*(row[1:] for row in rows), strict=True))]
    lines = [[str(cell) for cell in row] for row in (*rows, total)]
    text = "\n".join(" | ".join(line) for line in (head, *lines))
    body = "".join(
        f'<tr><th scope="row">{line[0]}</th>' + "".join(f"<td>{c}</td>" for c in line[1:]) + "</tr>"
        for line in lines
    )
    return Markup(framed(head, body, "Entries by note and verdict"), text, (STYLE,))


def catalogue(ledger: Ledger) -> Markup:
    """Show all entries and statements, one part per note, with a search box where scripts run."""
    notes = sorted({entry.note for entry in ledger.numbers.values()})
    parts = "".join(_part(ledger, note) for note in notes)
    options = "".join(f'<option value="{mark}">{mark}</option>' for mark in MARKS.values())
    search = (
        '<p id="tl-search" hidden><label>Search <input type="search" id="tl-find"></label> '
        '<label>Verdict <select id="tl-verdict"><option value="">any</option>'
        f'{options}</select></label> <output id="tl-found"></output></p>'
    )
    html = f'<div id="tl-catalogue">{search}{parts}</div>{SCRIPT}'
    size = f"{len(ledger.numbers)} entries and {len(ledger.statements)} statements"
    return Markup(html, f"{size}: see the page", (STYLE,))


def _count(ledger: Ledger, note: str) -> list[str | int]:
    numbers = [number for number in ledger.numbers.values() if number.note == note]
    steps = Counter(number.verdict for number in numbers)
    chains = Counter(number.chain_verdict for number in numbers)
    said = sum(statement.note == note for statement in ledger.statements.values())
    by_verdict = [counter[verdict] for counter in (steps, chains) for verdict in VERDICTS]
    return [NAMES[note], len(numbers), *by_verdict, said]


def _part(ledger: Ledger, note: str) -> str:
    numbers = [number for number in ledger.numbers.values() if number.note == note]
    said = [statement for statement in ledger.statements.values() if statement.note == note]
    shown = table(numbers, ids=True).html
    return (
        f"<details><summary>{NAMES[note]}, numbers: {len(numbers)}</summary>{shown}</details>"
        f"<details><summary>{NAMES[note]}, statements: {len(said)}</summary>"
        f"{_statements(said)}</details>"
    )


def _statements(statements: Iterable[Statement]) -> str:
    return f'<ul class="tl-ledger">{"".join(map(_statement, statements))}</ul>'


def _statement(statement: Statement) -> str:
    source = f"<br><small>Source: {escape(statement.source)}</small>" if statement.source else ""
    return (
        f'<li class="tl-entry" id="entry-{statement.id}"><p class="tl-where">'
        f"{escape(statement.where)} <small><code>{statement.id}</code></small></p>"
        f"<p><b>Why it is listed:</b> {escape(statement.problem)}<br>"
        f"<b>Right:</b> {escape(statement.correct)}{source}</p></li>"
    )
