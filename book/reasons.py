"""Reasons in sentences, each with what shows it: `python -m book.reasons [CHAPTER ...]`.

A reason is a claim. Each *because*, *so* and *therefore* of the chapters has a row in
`book/reasons.toml`: `"the words of its clause" = kind`, and each row has its reason. The kind is
`{cell = "c011"}`, which shows it; `{holds = "name of a row in ties.toml"}`; either may name another
chapter first, `"05_multi_head_attention c011"`; `{source = "Vaswani et al. (2017)"}` or a file;
`"may"`, where the sentence says so itself; `"definition"`, where it follows from what is defined
or by arithmetic; or `"task"`, which gives an aim or an instruction and no reason.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from book import refresh, ties, toc
from book.paths import ROOT
from book.text import prose

REASONS = ROOT / "book" / "reasons.toml"
LENGTH = 10
"""Words of a key; more, where two reasons of a chapter begin alike."""

MARKER = re.compile(
    r"(?<!\bdo )(?<!\bdid )(?<!\bdoes )(?<!\bdone )(?<!\bdoing )"
    r"\b(?:because|therefore|so(?!-called| (?:far|many|much|few|little|long|short)\b| …))\b",
    re.IGNORECASE,
)
HEDGE = re.compile(r"\b(?:may|might|could|possibly|perhaps|probably|one reason)\b", re.IGNORECASE)
END = re.compile(r"(?<=[.?!])(?<! al\.)[”*)]*\s+|\n\s*\n|\n(?=\s*(?:[-|*#]|\d+\.) )")
UNREAD = {
    "code": r"```.*?```",
    "a note for who speaks": r"<!--.*?-->",
    "a tag": r"</?[a-zA-Z][^<>]*>",
    "a formula": r"\$\$.*?\$\$|\$[^$]*\$",
    "a word that the sentence is about": r"\*so\*",
    "the end of a list": r"\band so on\b",
}
"""What is blanked out of a text before its sentences are read, with its pattern."""

SIGNS = re.compile(r"(?<=\])\([^)]*\)|[*`\[\]]|^\s*[-#|]+\s")
WORD = re.compile(r"\w+(?:[.,’'-]\w+)*")


class Reason(NamedTuple):
    """One reason: its key in the table, its sentence, and the cell in which it is."""

    key: str
    sentence: str
    passage: prose.Passage


def sentences(text: str) -> list[str]:
    r"""The sentences of a text, without markup and formulas, each on one line.

    >>> sentences("Zipf et al. (1949) say *why*: $x = 3$. Or\n\n- so `f` is [flat](a.md).")
    ['Zipf et al. (1949) say why: .', 'Or', 'so f is flat.']
    """
    for pattern in UNREAD.values():
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    plain = (" ".join(SIGNS.sub("", part).split()) for part in END.split(text))
    return [sentence for sentence in plain if sentence]


def clauses(sentence: str) -> Iterator[list[str]]:
    """The words from each marker of a sentence to its end.

    >>> [" ".join(words) for words in clauses("So far 2, so it ends, because they do so.")]
    ['so it ends because they do so', 'because they do so']
    """
    for marker in MARKER.finditer(sentence):
        yield WORD.findall(sentence[marker.start() :])


def reasons(notebook: dict[str, Any]) -> list[Reason]:
    """All reasons of a chapter, in order; those of the same words have the same key."""
    found = [
        (words, sentence, passage)
        for passage in [*prose.passages(notebook), *written(notebook)]
        for sentence in sentences(passage.text)
        for words in clauses(sentence)
    ]
    every = [words for words, _, _ in found]
    return [Reason(key(words, every), sentence, passage) for words, sentence, passage in found]


def written(notebook: dict[str, Any]) -> Iterator[prose.Passage]:
    """The texts that a code cell writes out, `Markdown("...")`, with … for what it computes."""
    for at, cell in enumerate(notebook["cells"]):
        tree = ast.parse("".join(cell["source"]) if cell["cell_type"] == "code" else "")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Markdown":
                yield prose.Passage(cell["id"], at, "\n\n".join(literals(node)))


def literals(node: ast.AST) -> list[str]:
    """The strings in a piece of code; those within an f-string are not listed again.

    >>> literals(ast.parse("text(f'{x:.2f} is' + 'so', 3)"))
    ['… is', 'so']
    """
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return ["".join(map(str, parts))]
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    return [text for child in ast.iter_child_nodes(node) for text in literals(child)]


def key(words: list[str], every: list[list[str]]) -> str:
    """The first words of a clause, as many as tell it from the others.

    >>> key(["so", "it", "is"], [["so", "it", "is"], ["so", "not"]])
    'so it is'
    """
    others = [each for each in every if each != words]
    length = LENGTH
    while length < len(words) and words[:length] in [each[:length] for each in others]:
        length += 1
    return " ".join(words[:length])


def rows(chapter: str, path: Path = REASONS) -> dict[str, dict[str, str]]:
    """The rows of one chapter; a word alone is a kind that names nothing."""
    table = ties.section_of(chapter, path)
    return {words: row if isinstance(row, dict) else {row: ""} for words, row in table.items()}


def complaints(
    chapter: str, notebook: dict[str, Any], table: dict[str, dict[str, str]]
) -> list[str]:
    """The reasons of a chapter without a kind, those whose kind is wrong, and stale rows."""
    found = reasons(notebook)
    said = []
    for each in found:
        if each.key not in table:
            said.append(message(chapter, each))
        elif wrong := refused(chapter, notebook, each, table[each.key]):
            said.append(f"{chapter}, the reason “{each.key}”: {wrong}")
    stale = [words for words in table if words not in {each.key for each in found}]
    return said + [
        f"{chapter}: no reason begins with “{words}” now: take its row out of {REASONS.name}"
        for words in stale
    ]


def message(chapter: str, reason: Reason) -> str:
    """The sentence of a new reason, and the rows of which one is to be pasted."""
    return (
        f"{chapter}, cell {reason.passage.cell}: what shows the reason in “{reason.sentence}”?\n"
        f"Paste one of these into book/{REASONS.name} under [{chapter}]:\n"
        f'  "{reason.key}" = {{cell = "id of the cell that shows it"}}\n'
        f'  "{reason.key}" = {{source = "Vaswani et al. (2017)"}}\n'
        f'  "{reason.key}" = "definition"\n'
        'or {holds = "row of ties.toml"}, "may" (the sentence says so), "task" (it is no reason).'
    )


def refused(chapter: str, notebook: dict[str, Any], reason: Reason, row: dict[str, str]) -> str:
    """What is wrong with the kind of a reason, or nothing."""
    if len(row) != 1:
        return f"it must have one kind, not {row}"
    ((kind, on),) = row.items()
    if kind in ("cell", "holds"):
        return absent(kind, on, chapter, notebook)
    if kind == "source" and not ((ROOT / on).is_file() or ties.is_source(on)):
        return f"{on} is no file, no Author (year) of references.bib and no note of sources.md"
    if kind == "may" and not HEDGE.search(reason.sentence):
        return "its sentence has no “may” and no “one reason”"
    return "" if kind in ("source", "may", "definition", "task") else f"{kind} is no kind"


def absent(kind: str, on: str, chapter: str, notebook: dict[str, Any]) -> str:
    """Say that there is no such cell, or no such row of ties.toml; nothing, if there is."""
    stem, _, name = on.rpartition(" ")
    path = ROOT / "chapters" / f"{stem or chapter}.ipynb"
    if stem and not path.is_file():
        return f"there is no chapter {stem}"
    if kind == "holds":
        return "" if name in ties.rows(path.stem) else f"{ties.TIES.name} has no row {on}"
    cells = (prose.read(path) if stem else notebook)["cells"]
    code = [cell["id"] for cell in cells if cell["cell_type"] == "code"]
    return "" if name in code else f"there is no code cell {on}"


def main(words: Sequence[str] | None = None) -> int:
    """List the reasons of the chapters with their kinds, then what is wrong."""
    reader = argparse.ArgumentParser(prog="python -m book.reasons", description=__doc__)
    wrong = []
    for path in refresh.asked(reader, words):
        if path in toc.notebooks():
            notebook, table = prose.read(path), rows(path.stem)
            for each in reasons(notebook):
                kinds = table.get(each.key, {"no kind": ""}).items()
                kind = " ".join(word for pair in kinds for word in pair).strip()
                print(f"{path.stem}, {each.passage.cell}, {kind}: {each.sentence}")
            wrong += complaints(path.stem, notebook, table)
    print("\n\n".join(wrong) or "Every reason has its kind.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
