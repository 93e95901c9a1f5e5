"""Run every chapter and store its outputs anew: `python -m book.refresh`."""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from book.paths import ROOT

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def refresh(path: Path) -> bool:
    """Run one notebook in place; True when its file changed."""
    before = path.read_text()
    notebook = nbformat.reads(before, as_version=4)  # type: ignore[no-untyped-call]
    run(notebook, path.parent)
    strip(notebook)
    after: str = nbformat.writes(notebook) + "\n"  # type: ignore[no-untyped-call]
    path.write_text(after)
    return after != before


def run(notebook: NotebookNode, folder: Path) -> None:
    """Execute the cells where the build and nbval execute them: in the notebook's own folder."""
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    ).execute()


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


def main() -> int:
    """Refresh the chapters one by one."""
    os.environ |= {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}  # as `make book` does
    changed = []
    for path in sorted(ROOT.glob("chapters/*.ipynb")):
        start = time.perf_counter()
        print(f"{path.name} ... ", end="", flush=True)
        if refresh(path):
            changed.append(path.name)
        print(f"{time.perf_counter() - start:.1f} s", flush=True)
    print(f"Stored the outputs anew; changed: {', '.join(changed) or 'none'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
