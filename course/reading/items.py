"""The sentences of the page on reading, in each of their conditions."""

import itertools
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("items.toml")
KINDS = ("practice", "garden", "agreement", "filler")
_CHOICE = re.compile(r"\{([^|}]*)\|([^|}]*)\}")


class Version(NamedTuple):
    """An item in one condition."""

    item: str
    kind: str
    half: int | None  # a reader who reads half reads the items of one; practice has none
    condition: str  # one letter a choice: "a" is the first, "b" the second
    words: tuple[str, ...]
    critical: int | None  # the place of the word at which the conditions part, from 0
    ask: tuple[str, ...]


def versions() -> list[Version]:
    """Return all items in all their conditions, in the order of the file."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [
        version
        for kind in KINDS
        for n, row in enumerate(rows[kind])
        for version in conditions(
            kind, row, None if kind == "practice" else 2 * n // len(rows[kind])
        )
    ]


def conditions(kind: str, row: dict[str, Any], half: int | None) -> list[Version]:
    """Return one item in each of its conditions.

    >>> item = {"id": "g1", "text": "I know {|that} he ran.", "critical": "ran."}
    >>> [(each.condition, each.words, each.critical) for each in conditions("garden", item, 0)]
    [('a', ('I', 'know', 'he', 'ran.'), 3), ('b', ('I', 'know', 'that', 'he', 'ran.'), 4)]
    """
    pieces = _CHOICE.split(row["text"])  # what is in all conditions, a first and a second choice, …
    made = []
    for letters in itertools.product("ab", repeat=len(pieces) // 3):
        chosen = [pieces[3 * n + 1 + "ab".index(letter)] for n, letter in enumerate(letters)]
        text = "".join(a + b for a, b in zip(pieces[::3], [*chosen, ""], strict=True))
        words = tuple(text.split())
        at = words.index(_deciding(row, chosen)) if kind in ("garden", "agreement") else None
        asked = tuple(row.get("ask", ()))
        made.append(Version(row["id"], kind, half, "".join(letters), words, at, asked))
    return made


def _deciding(row: dict[str, Any], chosen: list[str]) -> str:
    """The deciding word is named, or it is the last choice: the verb."""
    return str(row.get("critical", chosen[-1]))
