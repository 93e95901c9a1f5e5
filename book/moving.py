"""For each figure of a chapter, one changed number of a cell above that moves it.

`python -m book.moving 04` prints a list of presses: the cell to press, the cell to change, its new
code, and which of the figures that belong to the pressed cell then show something else. Each change
is tried in a fork, as in `book.untied`.
"""

import argparse
import ast
import itertools
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell

from book import refresh
from book.changes import numbers
from book.live.drawings import drawings
from book.live.page_cells import described
from book.live.torch_cells import names
from book.rerun import forked, go_on, run

Cells = list[dict[str, Any]]
TRIES = 10
"""Changes that are tried for the figures of one cell; training cells take seconds for each."""


class Press(NamedTuple):
    """One cell changed and one pressed, and the figures that move."""

    pressed: str
    changed: str
    code: str
    moves: list[str]


def presses(cells: Cells, owned: dict[str, list[str]]) -> Iterator[Press]:
    """Run code cells from the top, and yield presses that move each figure of the cells so far."""
    shell, visible = InteractiveShell.instance(), list[int]()
    for at, cell in enumerate(cells):
        run(shell, cell)
        visible += [at] * (cell["id"] in owned)
        # Its last figure has run, and the cells that the reader sees above it.
        if visible and (left := owned[cells[visible[-1]]["id"]]) and left[-1] == cell["id"]:
            yield from of_figures(shell, cells, visible, left)


def of_figures(
    shell: InteractiveShell, cells: Cells, visible: list[int], figures: list[str]
) -> Iterator[Press]:
    """Change numbers of the last visible cell, and then of those that it needs, until all moved."""
    left = set(figures)
    for at, code in itertools.islice(changes(cells, visible, figures), TRIES):
        if not left:
            return
        moved = forked(partial(shifted, shell, cells, at, code, figures))
        if left & set(moved):
            # A generator that draws on moves a figure without a changed number, too.
            same = "".join(cells[at]["source"])
            drawn = forked(partial(shifted, shell, cells, at, same, figures))
            moved = [id for id in moved if id not in drawn]
        if left & set(moved):
            left -= set(moved)
            yield Press(cells[visible[-1]]["id"], cells[at]["id"], code, moved)


def changes(cells: Cells, visible: list[int], figures: list[str]) -> Iterator[tuple[int, str]]:
    """Each number of the visible cells on which figures depend, from the last one upwards."""
    end = 1 + [cell["id"] for cell in cells].index(figures[-1])
    needed: set[str] = set()
    for at in reversed(range(end)):
        taken, left = names(ast.parse("".join(cells[at]["source"])))
        if cells[at]["id"] in figures or at == visible[-1] or left & needed:
            needed |= taken
            if at in visible:
                yield from ((at, code) for _, code in numbers("".join(cells[at]["source"])))


def shifted(
    shell: InteractiveShell, cells: Cells, at: int, code: str, figures: list[str]
) -> list[str]:
    """The figures that show something else once the code of one cell is another."""
    end = 1 + [cell["id"] for cell in cells].index(figures[-1])
    new = [cell | {} for cell in cells[:end]]
    new[at]["source"] = code
    go_on(shell, {"cells": new}, at)
    return [
        each["id"]
        for each, old in zip(new, cells, strict=False)
        if each["id"] in figures and each["outputs"] != old["outputs"]
    ]


def main(words: list[str]) -> int:
    """Print the presses of one chapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapter", help="such as 04")
    (path,) = refresh.chapters([parser.parse_args(words).chapter])
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    here = {cell["id"] for cell in described(cells) if not cell["torch"]}
    every = drawings([cell for cell in cells if cell["cell_type"] == "code"])
    owned = {name: [one for one in ids if one in here] for name, ids in every.items()}
    os.chdir(path.parent)
    found = presses([cell for cell in cells if cell.get("id") in here], owned)
    print(json.dumps([press._asdict() for press in found]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
