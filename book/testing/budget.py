"""What `make test` may cost: processor time for each part, and what else we count.

`book/budgets.toml` has the numbers. A unit is the processor time of the reference job
(`book/testing/reference.py`), about a second on a quiet machine.
"""

import tomllib
from collections.abc import Sequence
from typing import NamedTuple

from book.paths import ROOT
from book.testing.command import Part
from book.testing.lines import PRODUCT, lines_of

FILE = ROOT / "book" / "budgets.toml"
SLACK = 1.2
"""How much more than its budget a part may take: the unit does not follow a machine exactly."""
DEAREST = 6


def budgets() -> dict[str, dict[str, float]]:
    """All budgets, by the section and the name in the file."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


class Overrun(NamedTuple):
    """What took more than it may, and lines that say by how much."""

    name: str
    lines: list[str]


def overruns(parts: Sequence[Part]) -> list[Overrun]:
    """The parts that took more than their budget and its slack allow."""
    allowed = budgets()["processor"]
    dear = [part for part in parts if part.units > SLACK * allowed[part.name]]
    return [Overrun(part.name, complaint(part, allowed[part.name])) for part in dear]


def complaint(part: Part, allowed: float) -> list[str]:
    """Lines that say by how much a part is over its budget, and where its time went."""
    lines = [
        f"OVER ITS BUDGET: {part.name} took {part.units:.0f} units; {SLACK * allowed:.0f} are"
        f" allowed ({allowed:g} of book/budgets.toml and {SLACK - 1:.0%}). Whoever adds to a part"
        " moves something out of it or makes it cheaper. Its dearest files, in units:"
    ]
    named = list(part.by_file.items())
    lines += [f"  {cpu / part.unit:6.1f}  {file}" for file, cpu in named[:DEAREST]]
    unseen = part.cpu - sum(part.by_file.values())
    return [*lines, f"  {unseen / part.unit:6.1f}  of no file (see book/testing/spent.py)"]


def whole(parts: Sequence[Part]) -> Overrun:
    """What all parts take for a thousand lines of product; without a name where that is allowed."""
    allowed = budgets()["together"]["minutes for a thousand lines"]
    minutes = 1000 * sum(part.units for part in parts) / 60 / lines_of(PRODUCT)
    line = f"That is {minutes:.2f} minutes for a thousand lines of product; {allowed} are allowed."
    return Overrun("the time of all parts" if minutes > allowed else "", [line])
