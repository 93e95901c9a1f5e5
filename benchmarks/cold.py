"""A book built where nothing was built before, in a folder of its own."""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat

from book.environment import environment
from book.paths import ROOT

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "_build", "my", "dist", "__pycache__", ".*_cache"
)
RAN = re.compile(r"Executed notebook in ([\d.]+) seconds")
PICTURES = """import numpy as np

from transformer_lib import plot, widgets

rng = np.random.default_rng(0)
pictures = rng.normal(size=({count}, 8, 8))
widgets.frames(lambda k: plot.matrix(pictures[k], name="A"), k=range({count}))
"""


class Built(NamedTuple):
    """The seconds that a build took, and those of them in which notebooks ran."""

    seconds: float
    running: float


def copy(into: Path) -> None:
    """Copy what a book is made of, with the scripts that were fetched and with no page."""
    shutil.copytree(ROOT, into, ignore=LEFT_OUT)


def build(root: Path) -> Built:
    """Build the book of a folder.

    Raises:
        RuntimeError: the book was not built.
    """
    began = time.perf_counter()
    command = [sys.executable, "-m", "book.build", str(root)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the book of {root} was not built:\n{done.stdout[-2000:]}")
    seconds = time.perf_counter() - began
    return Built(seconds, sum(map(float, RAN.findall(done.stdout))))


def put_frames(root: Path, counts: Sequence[int]) -> list[str]:
    """Make the book of a copy one of a page for each count of frames; the names of the pages."""
    names = [f"chapters/frames_{count}" for count in counts]
    for name, count in zip(names, counts, strict=True):
        title = nbformat.v4.new_markdown_cell(f"# {count} frames", id="title")  # type: ignore[no-untyped-call]
        cell = nbformat.v4.new_code_cell(PICTURES.format(count=count), id="frames")  # type: ignore[no-untyped-call]
        notebook = nbformat.v4.new_notebook(cells=[title, cell])  # type: ignore[no-untyped-call]
        nbformat.write(notebook, root / f"{name}.ipynb")  # type: ignore[no-untyped-call]
    listed = "".join(f"  - file: {name}\n" for name in names[1:])
    text = f"format: jb-book\nroot: {names[0]}\nchapters:\n{listed}"
    (root / "_toc.yml").write_text(text, encoding="utf-8")
    return names
