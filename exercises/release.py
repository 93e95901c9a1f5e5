# nbgrader and nbformat carry no types.
# mypy: disable-error-code="import-untyped, misc, no-untyped-call, no-any-return"
"""Make what a student gets: the assignments without solutions and hidden tests.

The folder `release` next to this file contains what is made from `source`. Python imports a module
before a folder of the same name without an `__init__.py`.

With `--answers NAME` it makes the model answer of an assignment instead, for a class whose time is
over: the release with the solutions in their places, run, and still without hidden tests.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
    NbGraderPreprocessor,
)

from exercises.cells import MARKERS
from exercises.grader.intake.authored import REGION
from exercises.grader.intake.forms import EXERCISE
from exercises.grader.intake.source import assignments, path_of, read
from exercises.lint import SOURCE, lint

SHORT = 12  # letters
LIMIT = 300  # seconds that a cell of a model answer may take
# Outside of the text, where a marker stands by default, JupyterLab cuts it off.
TRIANGLE = "list-style-type: disclosure-closed; list-style-position: inside; cursor: pointer"


class ClearSolutionsByName(ClearSolutions):
    """Replace each solution by an error that names the task: the grade_id of its cell."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, object], cell_index: int
    ) -> tuple[NotebookNode, dict[str, object]]:
        """Set the stub of this one cell, then clear it as nbgrader does."""
        task = cell.metadata.get("nbgrader", {}).get("grade_id", "this")
        self.code_stub = {"python": f'raise NotImplementedError("{task} is not yet written")'}
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.source.rpartition("\n")[2] == self.code_stub["python"]:
            # A stub outside of a function raises at once; "Run all" is to go on.
            cell.metadata.tags.append("raises-exception")
        return cell, resources


class FoldForJupyterLab(NbGraderPreprocessor):
    """Fold checks and helpers, as the book does by the same tag, and give hints their triangle.

    JupyterLab removes the triangle from every summary, and it keeps only some words of a style.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, object], cell_index: int
    ) -> tuple[NotebookNode, dict[str, object]]:
        """Fold one cell, or mark what can be unfolded in it."""
        if "hide-input" in cell.metadata.get("tags", []):
            cell.metadata["jupyter"] = NotebookNode(source_hidden=True)
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("<summary>", f'<summary style="{TRIANGLE}">')
        return cell, resources


# The order of nbgrader's own generate_assignment, without the steps that need its database. The
# checksums come last: they are of the cells as the student gets them.
STEPS = (
    LockCells,
    ClearSolutionsByName,
    ClearOutput,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
    FoldForJupyterLab,
)


def strip(notebook: NotebookNode, solved: bool = False) -> NotebookNode:
    """Return a copy of a source notebook as a student gets it, or with its solutions."""
    released = nbformat.from_dict(notebook)
    for step in STEPS:
        if solved and step is ClearSolutionsByName:
            continue
        released, _ = step().preprocess(released, {})
    # An editor stores its own version here at every save; only these two are needed to run.
    kernel = notebook.metadata.kernelspec
    released.metadata = NotebookNode(kernelspec=kernel, language_info={"name": "python"})
    return released


def release(source: Path = SOURCE, target: Path | None = None) -> list[Path]:
    """Strip every assignment of a bank and return the files.

    A file gets a name that no chapter has, because both are downloaded into one folder.

    Raises:
        ValueError: the linter finds something, so nothing is written.
    """
    target = source.parent / "release" if target is None else target
    if target.resolve() == source.resolve():
        raise ValueError(
            f"--out must not be the bank itself, {source}, because the release would be "
            "mixed with it"
        )
    notebooks = {folder.name: _strip(folder) for folder in assignments(source)}
    return [_write(notebook, target / name, EXERCISE) for name, notebook in notebooks.items()]


def answers(name: str, source: Path = SOURCE, target: Path = Path()) -> Path:
    """Write the model answer of an assignment, run, and return its file.

    Raises:
        ValueError: there is no such assignment.
        CellExecutionError: a solution or a check fails.
    """
    notebook = strip(nbformat.from_dict(read(path_of(source / name))), solved=True)
    NotebookClient(notebook, timeout=LIMIT).execute()
    return _write(notebook, target / name, "_answers")


def _write(notebook: NotebookNode, folder: Path, ending: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{folder.name}{ending}.ipynb"
    file.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    return file


def _strip(folder: Path) -> NotebookNode:
    if found := lint(folder):
        first, *more = found
        raise ValueError(
            f"{first} ({len(more)} more findings: python -m exercises.lint --source "
            f"{folder.parent}); nothing was released"
        )
    notebook = nbformat.from_dict(read(path_of(folder)))
    released = strip(notebook)
    if leaked := leaks(notebook, released):
        raise ValueError(
            f"{folder.name}: the release would show {leaked[0]!r}; nothing was released"
        )
    return released


def leaks(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """Return the lines of solutions and hidden tests that a release shows, and all markers."""
    text = "\n".join(cell.source for cell in notebook.cells)
    visible, shown = REGION.sub("", text), "\n".join(cell.source for cell in released.cells)
    inside = {line.strip() for match in REGION.finditer(text) for line in match[1].splitlines()}
    # Lines such as ")," and lines that the student is shown elsewhere give nothing away.
    secret = {line for line in inside if len(line) > SHORT and line not in visible}
    return sorted(line for line in secret | set(MARKERS) if line in shown)


def main(words: Sequence[str] | None = None) -> int:
    """Make the release of a bank; return 0, or 2 and print why nothing was made."""
    reader = argparse.ArgumentParser(prog="python -m exercises.release", description=__doc__)
    reader.add_argument("--source", metavar="BANK", type=Path, default=SOURCE)
    reader.add_argument(
        "--out", metavar="DIR", type=Path, help="default: `release` beside BANK, or `answers` here"
    )
    reader.add_argument("--answers", metavar="NAME", nargs="+", help="make these model answers")
    given = reader.parse_args(words)
    try:
        if given.answers:
            out = given.out or Path("answers")
            made = [answers(name, given.source, out) for name in given.answers]
        else:
            made = release(given.source, given.out)
    except (ValueError, OSError, CellExecutionError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    for file in made:
        print(file)
    what = "answered, for a class that hands in no more" if given.answers else "released"
    print(f"{len(made)} assignment{'' if len(made) == 1 else 's'} {what}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
