"""The glossary: its terms, where they are taught, and what a chapter says of them too early."""

import json
import re
from functools import cache
from pathlib import Path

from book import toc
from book.paths import ROOT
from book.text import prose

PAGE = ROOT / "chapters" / "glossary.md"
ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+?) \(\[([^]]+)\]\((.+?)\)\) \|$", re.MULTILINE)

EMPHASIS = {
    *("row", "column", "this", "pairs", "ours", "adds", "clips", "right", "one token", "both"),
    *("split", "attend", "merge", "the rnn", "the lstm", "the transformer", "gain and bias"),
    *("you need", "the transpose", "the bias", "after this chapter you can"),
}
"""Bold words that are no terms; a bold sentence, and what ends in a period, is none either."""

ORDINARY = set(
    "attention batch bias block candidate cosine gain gate gradient head id key layer leak mask "
    "mean memory query rate score serial span spread stack value warm-up weight".split()
)
"""Terms that are everyday words too, so that an earlier chapter may use them as such."""

SPELLED = dict(zip("two three four five six seven eight nine".split(), "23456789", strict=True))
NUMBER = re.compile(rf"\d+(?:,\d{{3}})*(?:\.\d+)?|\b(?:{'|'.join(SPELLED)})\b")


def rows() -> list[tuple[str, str, str, str]]:
    """Terms, meaning, title and file of each row."""
    return ROW.findall(PAGE.read_text(encoding="utf-8"))


@cache
def taught() -> dict[str, str]:
    """The file that teaches each term."""
    return {term: file for words, _, _, file in rows() for term in words.split(", ")}


def text(path: Path) -> str:
    """What a chapter says in words."""
    return "\n\n".join(passage.text for passage in prose.passages(prose.read(path)))


def pattern(term: str) -> str:
    """The term in one or in several, at a line's end too."""
    words = r"[\s-]".join(map(re.escape, term.split()))
    return rf"(?<![\w-]){words}(?:s|es)?(?![\w-])"


def bold_terms(text: str) -> list[str]:
    """The words that a text introduces."""
    spans = re.findall(r"\*\*([^*]+)\*\*", text)
    short = [span for span in spans if span[-1] not in ".:,?" and len(span.split()) < 5]
    return [span for span in short if span.lower() not in EMPHASIS]


def undefined(text: str) -> list[str]:
    """The terms that a text introduces and the glossary lacks."""
    known = [pattern(term) for term in taught()]
    return [
        f"define “{term}” in chapters/glossary.md; emphasis is set in italics"
        for term in bold_terms(text)
        if not any(re.fullmatch(each, term, re.IGNORECASE) for each in known)
    ]


def early_uses(name: str, text: str) -> list[str]:
    """Terms in a chapter before the one that teaches them, none of which is a link."""
    plain = re.sub(r"`[^`]*`|\$[^$]*\$", "", text)
    order = [Path(page).stem for page in toc.reading()]
    early = []
    for term, file in taught().items():
        is_early = order.index(Path(name).stem) < order.index(Path(file).stem)
        if term in ORDINARY or not is_early or not re.search(pattern(term), plain, re.IGNORECASE):
            continue
        if not re.search(rf"\[[^\]]*{pattern(term)}[^\]]*\]\(", plain, re.IGNORECASE):
            early.append(f"{file} teaches “{term}” later: write [{term}](glossary.md)")
    return early


def complaints(path: Path) -> list[str]:
    """What is wrong with the terms of a chapter; a page that is no chapter may use them all."""
    if path not in toc.chapters():
        return []
    found = text(path)
    return misshapen() + undefined(found) + early_uses(path.name, found)


def misshapen() -> list[str]:
    """The lines of the page that begin as a row and are none."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    return [
        f"a row of the glossary is | **term** | meaning ([title](file)) |, but not: {line}"
        for line in lines
        if line.startswith("| **") and not ROW.match(line)
    ]


def put_in_order() -> None:
    """Sort the rows of the page."""
    page = PAGE.read_text(encoding="utf-8")
    lines = [match[0] for match in ROW.finditer(page)]
    ordered = iter(sorted(lines, key=lambda line: ROW.findall(line)[0][0].lower()))
    PAGE.write_text(ROW.sub(lambda _: next(ordered), page), encoding="utf-8", newline="\n")


def numbers(text: str) -> set[str]:
    """The numbers of a text, with 1,024 as 1024 and eight as 8."""
    return {SPELLED.get(each, each.replace(",", "")) for each in NUMBER.findall(text.lower())}


@cache
def numbers_of(path: Path) -> set[str]:
    """The numbers in the cells of a notebook and in their outputs as text."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = [cell["source"] for cell in cells]
    for out in (out for cell in cells for out in cell.get("outputs", [])):
        texts += map((out | out.get("data", {})).get, ("text", "text/plain", "text/markdown"))
    return numbers("\n".join("".join(each or "") for each in texts))


def without_number() -> list[str]:
    """The terms whose example is missing or has a number that the chapter does not contain."""
    examples = [(row[0], row[3], numbers(row[1].partition("For example")[2])) for row in rows()]
    return [term for term, file, of in examples if not of or of - numbers_of(PAGE.parent / file)]
