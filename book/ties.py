"""Numbers in sentences, tied to what a chapter computes: `python -m book.ties [CHAPTER ...]`.

A number of the text is tied by itself where it is a literal in the code beside it, part of an
equation that is true, or where a cell of its section prints it with two digits or more. Any other
stands in a mark, `<span data-tie="name">18 and 1</span>`, that readers do not see, and
`book/ties.toml` says under its name what the numbers in it rest on.
"""

import argparse
import ast
import contextlib
import functools
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from book import refresh, toc
from book.paths import ROOT
from book.text import prose
from book.text.code_cells import Code, code_cells, figures, is_beside
from book.text.equations import equations
from book.text.prose import Number, Passage
from course import ledger

TIES = ROOT / "book" / "ties.toml"
KINDS = {"is", "holds", "after", "output", "literal", "entry", "source", "given"}
MARK = re.compile(r'<span data-tie="([\w-]+)">(.*?)</span>\s*((?:\$\$.*?\$\$\s*)*)', re.DOTALL)
THREE_WAYS = """Tie it in one of three ways:
  1. let a cell of the section print it, or write it as an equation in numbers, `$3 \\cdot 4 = 12$`;
  2. write <span data-tie="{name}">{number}</span> in the text, and name what it is in
     book/ties.toml under [{chapter}]:
       {name} = "an expression of the notebook's names"   or   = {{output = "id of a cell"}}
  3. mark it likewise, and say where it is from:
       {name} = {{source = "Vaswani et al. (2017)"}}, {{entry = "id in the ledger"}}
       or, of a number that the sentence makes up, {{given = "why it is what it is"}}"""


class Tie(NamedTuple):
    """One row: its name, the words in its mark, where they stand, and what they rest on."""

    name: str
    quote: str
    passage: Passage
    start: int
    end: int
    numbers: list[Number]
    rests_on: dict[str, str]


def rows(chapter: str, path: Path = TIES) -> dict[str, dict[str, str]]:
    """The rows of one chapter; a string alone is an expression."""
    table = section_of(chapter, path)
    return {name: row if isinstance(row, dict) else {"is": str(row)} for name, row in table.items()}


def section_of(chapter: str, path: Path) -> dict[str, Any]:
    """The section of one chapter in a table that has a section for each.

    Raises:
        SystemExit: the file cannot be read, or a section is that of no chapter.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SystemExit(f"book/{path.name} cannot be read: {error}") from None
    if no_chapters := set(tables) - {each.stem for each in toc.notebooks()}:
        raise SystemExit(f"book/{path.name} has sections of no chapter: {sorted(no_chapters)}")
    found: dict[str, Any] = tables.get(chapter, {})
    return found


def complaints(
    chapter: str, notebook: dict[str, Any], table: dict[str, dict[str, str]]
) -> list[str]:
    """All that is wrong with the numbers of a chapter, as far as its file tells."""
    found = prose.passages(notebook)
    code = code_cells(notebook)
    ties, wrong = [], []
    for name, rests_on in table.items():
        try:
            tie = place(name, rests_on, found)
            wrong += [f"{chapter}, {name}, “{tie.quote}”: {why}" for why in check(tie, code)]
            ties.append(tie)
        except ValueError as error:
            wrong.append(f"{chapter}, {name}: {error}")
    for passage in found:
        own = [(tie.start, tie.end) for tie in ties if tie.passage == passage]
        for mark in MARK.finditer(passage.text):
            if mark[1] not in table:
                own.append(mark.span())
                cell = f"the mark in cell {passage.cell}"
                wrong.append(f"{chapter}, {mark[1]}: {cell} has no row in {TIES.name}")
        wrong += [f"{chapter}, {each}" for each in untied(chapter, passage, own, notebook, code)]
    return wrong


def place(name: str, rests_on: dict[str, str], found: list[Passage]) -> Tie:
    """Find the one mark of a row; one that holds nothing is that of the formula after it.

    Raises:
        ValueError: the mark stands nowhere or twice, holds no number, or rests on nothing.
    """
    at = [(p, mark) for p in found for mark in MARK.finditer(p.text) if mark[1] == name]
    if len(at) != 1:
        raise ValueError(f"its mark must stand once in the text, stands {len(at)} times")
    ((passage, mark),) = at
    start, end = mark.span(2 if mark[2] else 3)
    inside = [n for n in prose.numbers(passage.text) if start <= n.start < end]
    if not inside and "holds" not in rests_on:
        raise ValueError("its mark holds no number")
    if set(rests_on) - KINDS or len(set(rests_on) - {"after"}) != 1:
        raise ValueError(f"must rest on one of {sorted(KINDS - {'after'})}, not {rests_on}")
    quote = " ".join(passage.text[start:end].split())
    return Tie(name, quote, passage, start, end, inside, rests_on)


def check(tie: Tie, code: list[Code]) -> Iterator[str]:
    """What the files say against a tie; an expression is judged where the notebook runs."""
    ((kind, on),) = [(key, text) for key, text in tie.rests_on.items() if key != "after"]
    if (after := tie.rests_on.get("after")) and after not in [each.id for each in code]:
        yield f"there is no code cell {after}"
    cells = [each for each in code if each.id == on]
    if kind in ("output", "literal") and not cells:
        yield f"there is no code cell {on}"
    elif kind in ("output", "literal"):
        values = [x for each in cells for x in (each.printed, each.literals)[kind == "literal"]]
        missing = [n.text for n in tie.numbers if not any(map(n.is_rounded, values))]
        if missing:
            yield f"{', '.join(missing)} is no {kind} of cell {on}"
    elif kind == "entry" and on not in _ledger():
        yield f"there is no entry {on} in the ledger"
    elif kind == "entry":
        missing = [n.text for n in tie.numbers if not any(map(n.is_rounded, of_entry(on)))]
        if missing:
            yield f"{', '.join(missing)} does not stand in entry {on} of the ledger"
    elif kind == "source" and (ROOT / on).is_file():
        values = list(map(float, figures((ROOT / on).read_text(encoding="utf-8"))))
        missing = [n.text for n in tie.numbers if not any(map(n.is_rounded, values))]
        if missing:
            yield f"{', '.join(missing)} does not stand in {on}"
    elif kind == "source" and not is_source(on):
        yield f"{on} is no file, no Author (year) of references.bib and no note of sources.md"
    elif kind in ("is", "holds"):
        yield from refused(on)
    elif kind == "given" and len(on.split()) < 3:
        yield "say in a few words why the number is what it is"


def refused(expression: str) -> Iterator[str]:
    """What is wrong with an expression before it is computed: a part may not be a typed number."""
    try:
        top = ast.parse(expression, mode="eval").body
    except SyntaxError as error:
        yield f"{expression} is no expression of Python: {error.msg}"
        return
    parts = top.elts if isinstance(top, ast.Tuple) else [top]
    texts = [ast.unparse(p) for p in parts if not any(isinstance(n, ast.Name) for n in ast.walk(p))]
    if typed := [text for text in texts if not re.fullmatch(r"\d", text)]:
        yield f"{', '.join(typed)} is typed: write what computes it, from the notebook's names"


@functools.cache
def _ledger() -> dict[str, ledger.Number]:
    """The numbers of the ledger, whose file is long."""
    return ledger.load().numbers


def of_entry(id: str) -> list[float]:
    """The numbers of an entry of the ledger, those printed and those computed anew."""
    entry = _ledger().get(id)
    found = [entry.printed, entry.step, entry.chain] if entry else []
    return list(map(float, figures(str(found))))


def is_source(name: str) -> bool:
    """Whether an author and year stand in one entry of references.bib, or a note in sources.md."""
    match = re.match(r"(\w+).*?\((\d{4}[a-z]?)\)", name)
    entries = (ROOT / "references.bib").read_text(encoding="utf-8").split("\n@")
    if match:
        return any(match[1] in entry and match[2] in entry for entry in entries)
    return name.split(",")[0] in (ROOT / "chapters" / "sources.md").read_text(encoding="utf-8")


def untied(
    chapter: str,
    passage: Passage,
    tied: list[tuple[int, int]],
    notebook: dict[str, Any],
    code: list[Code],
) -> Iterator[str]:
    """The numbers of a passage that nothing ties, and the equations that are false."""
    written, near = equations(passage.text), section(notebook, passage)
    for each in written:
        if not each.is_true:
            yield f"cell {passage.cell}: the equation {each.text} is false"
    covered = [*tied, *((each.start, each.end) for each in written if each.is_true)]
    beside = [x for cell in code if is_beside(cell, passage, code) for x in cell.literals]
    printed = [x for cell in code if cell.at in near for x in cell.printed]
    for number in prose.numbers(passage.text):
        inside = any(start <= number.start < end for start, end in covered)
        seen = number.digits > 1 and any(map(number.is_rounded, printed))
        if number.needs_tie and not inside and not seen and abs(number.value) not in beside:
            yield message(chapter, passage, number, code)


def section(notebook: dict[str, Any], passage: Passage) -> range:
    """The cells of the section in which a passage stands."""
    cells = notebook["cells"]
    heads = [i for i, cell in enumerate(cells) if "".join(cell["source"]).startswith("## ")]
    first = max((i for i in heads if i <= passage.at), default=0)
    return range(first, min((i for i in heads if i > passage.at), default=len(cells)))


def message(chapter: str, passage: Passage, number: Number, code: list[Code]) -> str:
    """The sentence, the number, where the number is seen, and the three ways to tie it."""
    seen = [
        f"{kind} of {cell.id}"
        for cell in sorted(code, key=lambda cell: abs(cell.at - passage.at))
        for kind, values in (("output", cell.printed), ("literal", cell.literals))
        if any(map(number.is_rounded, values))
    ]
    sentence = re.sub("<.*?>", "", passage.sentence(number)).lower()
    words = re.findall(r"[a-z]{4,}", sentence)[-2:]
    name = "-".join([*words, *re.findall(r"\d+", number.text)])  # a sentence may hold several
    return (
        f"cell {passage.cell}: nothing ties {number.text} in “{passage.sentence(number)}”\n"
        f"Seen in: {', '.join(seen[:4]) or 'no cell'}.\n"
        f"{THREE_WAYS.format(chapter=chapter, name=name, number=number.text)}"
    )


def expressions(notebook: dict[str, Any], table: dict[str, dict[str, str]]) -> dict[str, list[Tie]]:
    """The rows to be computed, by the code cell after which that is done.

    It is the last of the code cells that follow the quotation, or the one that `after` names.
    `complaints` names a row whose mark is wrong; such a row is left out here.
    """
    found, due = prose.passages(notebook), dict[str, list[Tie]]()
    code = [at for at, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    for name, rests_on in table.items():
        if not {"is", "holds"} & set(rests_on):
            continue
        with contextlib.suppress(ValueError):
            tie = place(name, rests_on, found)
            last = tie.passage.at
            while last + 1 in code:
                last += 1
            at = max((each for each in code if each <= last), default=code[0])
            due.setdefault(rests_on.get("after", notebook["cells"][at]["id"]), []).append(tie)
    return due


def question(tie: Tie) -> dict[str, str]:
    """What a kernel is asked for: all numbers of an expression in one list."""
    flat = "[float(x) for part in parts for x in __import__('numpy').ravel(part)]"
    return {"values": f"(lambda *parts: {flat})({expression(tie)})"}


def expression(tie: Tie) -> str:
    """What a row computes."""
    return tie.rests_on.get("is") or tie.rests_on["holds"]


def ask(client: Any, tie: Tie, timeout: float = 60) -> str:
    """Compute a tie in a running notebook; what is wrong with it, or nothing.

    Args:
        client: the blocking client of the notebook's kernel.
        tie: a row with an expression.
        timeout: how many seconds the kernel may take.
    """
    sent = client.execute("", silent=True, user_expressions=question(tie))
    reply = client.get_shell_msg(timeout=timeout)
    while reply["parent_header"].get("msg_id") != sent:
        reply = client.get_shell_msg(timeout=timeout)
    return answered(tie, reply)


async def ask_running(client: Any, tie: Tie) -> str:
    """Do as `ask` does, by a client that does not block."""
    sent = client.execute("", silent=True, user_expressions=question(tie))
    reply = await client.get_shell_msg(timeout=60)
    while reply["parent_header"].get("msg_id") != sent:
        reply = await client.get_shell_msg(timeout=60)
    return answered(tie, reply)


def answered(tie: Tie, reply: dict[str, Any]) -> str:
    """What is wrong with a tie by the reply of a kernel, or nothing."""
    answer = reply["content"]["user_expressions"]["values"]
    if answer["status"] == "error":
        return f"“{tie.quote}”: {answer['ename']}: {answer['evalue']}, in {expression(tie)}"
    return judge(tie, ast.literal_eval(answer["data"]["text/plain"]))


def judge(tie: Tie, values: Sequence[float]) -> str:
    """What is wrong with a tie whose expression came to these values; nothing, if it holds."""
    if condition := tie.rests_on.get("holds"):
        return "" if {*values} == {1} else f"“{tie.quote}”: {condition} does not hold"
    shown = [number.text for number in tie.numbers]
    if len(values) != len(tie.numbers):
        return f"“{tie.quote}” says {', '.join(shown)}, but {tie.rests_on['is']} gives {values}"
    wrong = [
        f"{number.text} is {value:.6g}"
        for number, value in zip(tie.numbers, values, strict=True)
        if not number.is_rounded(value)
    ]
    return f"“{tie.quote}”: by {tie.rests_on['is']}, {'; '.join(wrong)}" if wrong else ""


def main(words: Sequence[str] | None = None) -> int:
    """Say which numbers have no tie; what is computed is judged by pytest --nbval."""
    reader = argparse.ArgumentParser(prog="python -m book.ties", description=__doc__)
    wrong = [
        each
        for path in refresh.asked(reader, words)
        if path in toc.notebooks()
        for each in complaints(path.stem, prose.read(path), rows(path.stem))
    ]
    print("\n\n".join(wrong) or "Every number has its tie.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
