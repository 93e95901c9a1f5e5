"""Write the digests of right answers on paper into the source: `python -m exercises.digests`.

The digests show a learner without a course whether an answer is right. The numbers of a task by
hand depend on the student's id, and a digest cannot be stored for every id. The digests are
therefore those of the numbers that the empty id draws, which a learner without a course has.
"""

import argparse
import contextlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exercises.grader.intake.assignment import ON_PAPER
from exercises.grader.intake.source import read

SOURCE = Path(__file__).parent / "source"
CELL = "digests"


def digests(notebook: dict[str, Any]) -> dict[str, list[str]]:
    """Return the digests of the right answers in a source notebook, by task.

    Args:
        notebook: as `source.read` returns it. What its cells give, its solutions on paper and
            their checks, the hidden tests too, run in this process.
    """
    space: dict[str, Any] = {"__name__": "__main__"}
    found: dict[str, list[str]] = {}

    def note(check: str, answer: object, parts: Sequence[Any] = (), within: Any = 0.0) -> None:
        distances = [within] * len(parts) if isinstance(within, float) else within
        task = check.partition("-")[0]
        found[task] = [
            space["digest"](task, part if isinstance(part, str) else space["grid"](part, far))
            for part, far in zip(parts, distances, strict=True)
        ]

    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    tasks = {cell["id"] for cell in cells if ON_PAPER & set(cell["metadata"].get("tags", []))}
    for cell in cells:
        marks = cell["metadata"].get("nbgrader", {})
        given = marks.get("locked") and not marks.get("grade")
        if given or cell["id"] == "student" or cell["id"].partition("-check")[0] in tasks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell["source"], cell["id"], "exec", optimize=0), space)
            space["checked"] = note
    return found


def written(found: dict[str, list[str]]) -> list[str]:
    """Return the lines of the cell that holds the digests."""
    said = "# With these digests the checks can tell a learner without an id whether an answer is"
    lines = [f"{said} right.\n", "DIGESTS |= {\n"]
    for task, each in found.items():
        rows = [f'        "{digest}",\n' for digest in each]
        lines += [f'    "{task}": [\n', *rows, "    ],\n"]
    return [*lines, "}"]


def update(path: Path) -> bool:
    """Write the digests into the cell of a source notebook, and return whether they changed."""
    fresh = written(digests(read(path)))
    raw = path.read_text(encoding="utf-8")
    notebook = json.loads(raw)
    for cell in notebook["cells"]:
        if cell["id"] == CELL:
            cell["source"] = fresh
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    return text != raw


def main(words: Sequence[str] | None = None) -> None:
    """Update the digests of all assignments and print which of them changed."""
    reader = argparse.ArgumentParser(prog="python -m exercises.digests", description=__doc__)
    reader.parse_args(words)
    for path in sorted(SOURCE.glob("*/*.ipynb")):
        if update(path):
            print(f"{path.stem}: new digests")


if __name__ == "__main__":
    main()
