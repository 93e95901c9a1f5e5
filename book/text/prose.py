"""What a chapter says in words, and the numbers in it that need a tie."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

EXEMPT = {
    "code, which the reader can run": r"```.*?```|`[^`\n]*`",
    "a citation: its years": r"\[[^\]]*\]\((?:references|sources)\.md[^)]*\)",
    "where a link leads": r"(?<=\])\([^)]*\)|\{download\}`[^`]*`",
    "a mark": r"</?span[^>]*>",
    "a note for who speaks, which is on no page": r"<!-- slide:.*?-->",
    "a year in parentheses": r"\((?:1[89]|20)\d\d[a-z]?\)",
    "the number of a section, table, figure, chapter, footnote, page, objective or task": (
        r"\b(?:[Ss]ection|[Tt]able|[Ff]igure|[Cc]hapter|[Ff]ootnote|[Pp]age|[Oo]bjective|[Tt]ask)s?"
        r" \d[\w.]*(?:(?:,| and| to) \d[\w.]*)*"
    ),
    "the minutes of a chapter, which a test of their own compares": r"\*\*Time:\*\*[^\n]*",
    "the number of an item or heading, and a word that leads to it": (
        r"(?m)^\s*(?:#+ )?\d+\. |\(see \d+\)"
    ),
    "an index": r"_\{[^{}]*\}|_\d+",
    "a name with a digit, or a format": (
        r"[A-Za-z](?:[\w.]|-(?=\d))*\d\w*|\b\d+-bit\b|\b\d[\d.]*[a-zB]\b|\*\*Step \d"
    ),
    "a small exponent": r"(?<!10)\^(?:\d|\{-?\d(?:/\d)?\})",
}
"""What holds no number that needs a tie, with its rule; the pattern is blanked out."""

WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"half": 0.5, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "thousand": 1000}
WORDS_OR_DIGITS = re.compile(
    r"(?P<sign>(?:(?<![\w.)}\]])[-−])?)\b10\^(?:\{(?P<power>-?\d+)\}|(?P<digit>\d))"
    r"|(?P<figure>(?:(?<![\w.)}\]])[-−])?(?<![\w.])\d+(?:(?:,|\{,\})\d{3})*(?:\.\d+)?)"
    r"(?P<percent> ?\\?%)?"
    rf"|\b(?P<word>{'|'.join(WORDS)})\b",
    re.IGNORECASE,
)


class Number(NamedTuple):
    """A number as it is written."""

    text: str
    start: int
    end: int
    value: float
    decimals: int
    needs_tie: bool

    @property
    def digits(self) -> int:
        """How many digits count: 3 in 0.0150, 4 in 1,024, and 1 in 300, which may be rounded."""
        written = re.sub(r"\D", "", self.text).lstrip("0")
        return len(written if self.decimals else written.rstrip("0"))

    def is_rounded(self, value: float) -> bool:
        """Whether this is the value, correctly rounded at the precision that is written."""
        return abs(value - self.value) <= 0.5 * 10.0**-self.decimals * (1 + 1e-9)


class Passage(NamedTuple):
    """The text of a Markdown cell, or a caption in a code cell."""

    cell: str
    at: int
    text: str

    def sentence(self, number: Number) -> str:
        """The sentence around a number, on one line."""
        before = re.split(r"(?<=[.?!:])\s|\n\n", self.text[: number.start])[-1]
        after = re.split(r"(?<=[.?!:])\s|\n\n", self.text[number.end :])[0]
        return " ".join(f"{before}{number.text}{after}".split())


def passages(notebook: dict[str, Any]) -> list[Passage]:
    """The Markdown cells and the captions, in order; `at` counts the cells from 0."""
    found = []
    for at, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        texts = [source] if cell["cell_type"] == "markdown" else captions(source)
        found += [Passage(cell["id"], at, text) for text in texts]
    return found


def captions(source: str) -> Iterator[str]:
    """The captions that a cell writes out; what an f-string computes is left out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg == "caption":
            parts = node.value.values if isinstance(node.value, ast.JoinedStr) else [node.value]
            yield "…".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def numbers(text: str) -> list[Number]:
    """All numbers of a text, those in words too; which of them need a tie, `needs_tie` says.

    All in digits need one but 0, 1 and −1, which are bounds more often than results.

    >>> [(n.text, n.value, n.needs_tie) for n in numbers("Two of 1,024 are 0.2 %, see section 12.")]
    [('Two', 2.0, False), ('1,024', 1024.0, True), ('0.2 %', 0.2, True)]
    """
    return [number(match) for match in WORDS_OR_DIGITS.finditer(without_exempt(text))]


def number(match: re.Match[str]) -> Number:
    """The number that was found."""
    power = match["power"] or match["digit"]
    if match["word"]:
        value, decimals, needs = float(WORDS[match["word"].lower()]), 0, False
    elif power:
        sign = -1 if match["sign"] else 1
        value, decimals, needs = sign * 10.0 ** int(power), max(0, -int(power)), True
    else:
        plain = re.sub(r"[{},]", "", match["figure"]).replace("−", "-")
        value, decimals = float(plain), len(plain.partition(".")[2])
        needs = "." in plain or abs(value) > 1 or bool(match["percent"])
    return Number(match[0], *match.span(), value, decimals, needs)


def without_exempt(text: str) -> str:
    """The text with blanks in the place of all that is exempt."""
    for pattern in EXEMPT.values():
        text = re.sub(pattern, lambda found: " " * len(found[0]), text, flags=re.DOTALL)
    return text


def read(path: Path) -> dict[str, Any]:
    """The notebook of a file."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook
