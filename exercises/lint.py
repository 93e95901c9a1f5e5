"""Check the assignments of a bank, and print what is wrong in which cell and what to do about it.

Nothing is run. To find out whether the tests are right, run `python -m exercises.trial`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from exercises.cells import cells_of
from exercises.grader.intake import assignment
from exercises.grader.intake.source import assignments
from exercises.rules import RULES

SOURCE = Path(__file__).parent / "source"


def lint(folder: Path) -> list[str]:
    """Return a sentence for each thing that is wrong with an assignment."""
    try:
        cells = cells_of(folder)
    except (ValueError, OSError) as error:
        return [f"{folder.name}: {error}"]
    found = [f"{folder.name}, cell {cell}: {what}" for rule in RULES for cell, what in rule(cells)]
    if not found:
        try:
            assignment.load(folder)
        except ValueError as error:
            found.append(f"{folder.name}: {error}")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Print what is wrong; return 0 if nothing is, else 1, and 2 if there is no assignment."""
    reader = argparse.ArgumentParser(prog="python -m exercises.lint", description=__doc__)
    reader.add_argument("--source", metavar="BANK", type=Path, default=SOURCE)
    given = reader.parse_args(words)
    folders = assignments(given.source) if given.source.is_dir() else []
    if not folders:
        print(f"lint: {given.source} contains no assignment NAME/NAME.py", file=sys.stderr)
        return 2
    found = [what for folder in folders for what in lint(folder)]
    for what in found:
        print(what)
    print(f"{len(folders)} assignments, {len(found)} findings.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
