"""The entries of the ledger: numbers and statements that the notes print."""

import re
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from course.root import FOLDER, ROOT

PATH = FOLDER / "worked_numbers.toml"
CHAPTERS = tuple(
    # Without a parser of YAML, which a page that runs does not have.
    re.findall(r"file: chapters/(\w+)$", (ROOT / "_toc.yml").read_text("utf-8"), re.MULTILINE)
)


@dataclass(frozen=True)
class Slip:
    """A mistake that gives what the note prints."""

    compute: str
    """The function that makes it."""
    inputs: dict[str, Any] = field(default_factory=dict)
    """What it is made on, where that is not what the entry is computed from."""
    cells: list[list[int]] = field(default_factory=list)
    """The cells that it explains, where it does not explain all."""


@dataclass(frozen=True)
class Number:
    """A printed matrix, vector, scalar or word, how to compute it, and what came out."""

    id: str
    note: str
    chapter: str
    where: str
    printed: Any
    diagnosis: str = ""
    inputs: dict[str, Any] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    compute: str = ""
    ill_posed: str = ""
    """Why the printed inputs cannot give any value; empty where they can."""
    slips: list[Slip] = field(default_factory=list)
    """Mistakes that give the printed value, or the cells that each of them names."""
    source: str = ""
    own: str = ""
    """A function that counts a published figure anew."""
    step: Any = None
    chain: Any = None
    counted: Any = None
    verdict: str = ""
    chain_verdict: str = ""


@dataclass(frozen=True)
class Statement:
    """A sentence or formula that is wrong, loose or clashes with another note."""

    id: str
    note: str
    chapter: str
    where: str
    problem: str
    correct: str
    source: str


@dataclass(frozen=True)
class Ledger:
    """All entries by id, in the order of the file."""

    numbers: dict[str, Number]
    statements: dict[str, Statement]


Entry = TypeVar("Entry", Number, Statement)


def load(path: Path | str | None = None) -> Ledger:
    """Read the ledger.

    Args:
        path: a file in its format; `chapters/worked_numbers.toml` of this repository unless given.

    Raises:
        ValueError: an entry has an unknown, missing or repeated field value where that is wrong.
    """
    with Path(path or PATH).open("rb") as file:
        tables = tomllib.load(file)
    return Ledger(
        _by_id(Number, tables.get("numbers", [])),
        _by_id(Statement, tables.get("statements", [])),
    )


def _by_id(kind: type[Entry], tables: list[dict[str, Any]]) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    known = {f.name for f in fields(kind)}
    for table in tables:
        name = table.get("id", "an entry without id")
        if unknown := set(table) - known:
            raise ValueError(f"{name} has fields the ledger does not know: {sorted(unknown)}")
        try:
            if "slips" in table:
                table["slips"] = [Slip(**slip) for slip in table["slips"]]
            entry = kind(**table)
        except TypeError as error:
            raise ValueError(f"{name} has a field too many or too few: {error}") from None
        if entry.id in entries:
            raise ValueError(f"{name} is the id of two entries")
        if entry.chapter not in CHAPTERS:
            raise ValueError(f"{name} has the chapter {entry.chapter!r}, which does not exist")
        entries[entry.id] = entry
    return entries
