"""Read the cells of an assignment, and know its markers, for the linter and the release."""

import re
from pathlib import Path

from exercises.grader.intake.authored import HIDDEN, SOLUTION, Cell, cells_in
from exercises.grader.intake.source import path_of, read

MARKERS = tuple(f"### {end} {what}" for what in (SOLUTION, HIDDEN) for end in ("BEGIN", "END"))
MARKED = re.compile(r"^.*###\s*(?:BEGIN|END).*$", re.MULTILINE | re.IGNORECASE)


def cells_of(folder: Path) -> list[Cell]:
    """Return the cells of an assignment.

    Raises:
        ValueError: it is missing or cannot be read.
    """
    return cells_in(read(path_of(folder)))
