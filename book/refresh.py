"""Run chapters and store their outputs anew: `python -m book.refresh [CHAPTER ...]`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from book.environment import environment
from book.paths import ROOT

WIDGET = "application/vnd.jupyter.widget-view+json"
Judge = Callable[[Any, NotebookNode], Awaitable[None]]
"""What is told of each cell that has run, and of the client of its kernel."""

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def refresh(path: Path, judge: Judge | None = None) -> bool:
    """Run one notebook in place; True when its file changed."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)  # type: ignore[no-untyped-call]
    run(notebook, path.parent, judge)
    strip(notebook)
    after: str = nbformat.writes(notebook) + "\n"  # type: ignore[no-untyped-call]
    path.write_text(after, encoding="utf-8")
    return after != before


def run(notebook: NotebookNode, folder: Path, judge: Judge | None = None) -> None:
    """Execute the cells where and as the build and nbval do: in the notebook's own folder."""
    # Files in place of ports: a port that is free when a kernel is given it may be taken by then.
    with tempfile.TemporaryDirectory() as place:
        client = NotebookClient(
            notebook,
            config=Config(KernelManager={"transport": "ipc", "ip": f"{place}/kernel"}),
            timeout=300,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
        )
        if judge:
            client.on_cell_executed = lambda cell, **_: judge(client.kc, cell)
        client.execute(env=environment())


def strip(notebook: NotebookNode) -> None:
    """Remove what differs from run to run and from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = dict(KERNEL)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        for key in ("execution", "ExecuteTime"):
            cell.metadata.pop(key, None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)


def chapters(names: Sequence[str], folder: Path = ROOT / "chapters") -> list[Path]:
    """The chapters of these numbers or names, such as 4, 04 or 04_attention; all, if none is given.

    Raises:
        ValueError: where a name is that of no chapter.
    """
    paths = sorted(folder.glob("*.ipynb"))
    return [chapter(name, paths) for name in names] if names else paths


def chapter(name: str, paths: Sequence[Path]) -> Path:
    """The one notebook of this number or name."""
    wanted = Path(name).stem
    for path in paths:
        number = path.stem.partition("_")[0]
        if path.stem == wanted or (number.isdigit() and number == wanted.zfill(2)):
            return path
    known = ", ".join(path.stem for path in paths)
    raise ValueError(f"there is no chapter {name}; there are {known}")


def asked(
    reader: argparse.ArgumentParser, words: Sequence[str] | None, count: str = "*"
) -> list[Path]:
    """The chapters that a command is called with; one that there is not ends it with a sentence.

    Args:
        reader: of the command line.
        words: of the command line.
        count: "*" where none means all, "+" where one has to be named.
    """
    reader.add_argument("chapters", nargs=count, metavar="CHAPTER", help="number or name")
    try:
        return chapters(reader.parse_args(words).chapters)
    except ValueError as error:
        reader.error(str(error))


def main(words: Sequence[str] | None = None) -> int:
    """Refresh the chapters one by one."""
    reader = argparse.ArgumentParser(prog="python -m book.refresh", description=__doc__)
    changed = []
    for path in asked(reader, words):
        start = time.perf_counter()
        print(f"{path.name} ... ", end="", flush=True)
        if refresh(path):
            changed.append(path.name)
        print(f"{time.perf_counter() - start:.1f} s", flush=True)
    print(f"Stored the outputs anew; changed: {', '.join(changed) or 'none'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
