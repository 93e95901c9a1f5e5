# nbgrader and nbformat carry no types.
# mypy: disable-error-code="import-untyped, misc, no-untyped-call, no-any-return"
"""Make what a student gets: the source notebooks without solutions and hidden tests."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import nbformat
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

from exercises.grader.intake import EXERCISE
from exercises.grader.source import read

HERE = Path(__file__).parent
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

    JupyterLab takes the triangle from every summary, and from a style it takes some words alone.
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


def strip(notebook: NotebookNode) -> NotebookNode:
    """Return a copy of a source notebook as a student gets it."""
    released = nbformat.from_dict(notebook)
    for step in STEPS:
        released, _ = step().preprocess(released, {})
    # An editor stores its own version here at every save; only these two are needed to run.
    kernel = notebook.metadata.kernelspec
    released.metadata = NotebookNode(kernelspec=kernel, language_info={"name": "python"})
    return released


def release(source: Path = HERE / "source", target: Path = HERE / "release") -> list[Path]:
    """Strip every source/ASSIGNMENT/ASSIGNMENT.ipynb into `target` and return the files.

    A file gets a name that no chapter has, because both are downloaded into one folder.
    """
    made = []
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        notebook = nbformat.from_dict(read(folder / f"{folder.name}.ipynb"))
        file = target / folder.name / f"{folder.name}{EXERCISE}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(nbformat.writes(strip(notebook)) + "\n", encoding="utf-8", newline="\n")
        made.append(file)
    return made


def main(words: Sequence[str] | None = None) -> None:
    """Make the release beside this file and say what was made."""
    reader = argparse.ArgumentParser(prog="python -m exercises.make_release", description=__doc__)
    reader.parse_args(words)
    made = release()
    for file in made:
        print(file.relative_to(HERE.parent).as_posix())
    print(f"{len(made)} assignment{'' if len(made) == 1 else 's'} released.")


if __name__ == "__main__":
    main()
