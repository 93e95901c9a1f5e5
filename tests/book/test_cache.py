"""The book notices what its cache of executed notebooks would overlook."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from book import cache
from book.environment import environment
from book.paths import ROOT

CELL = "import numpy as np\n\nimport transformer_lib as tl\n\nprint(tl.softmax(np.zeros(4)))"


@pytest.fixture
def small_book(tmp_path: Path) -> Path:
    """A copy of the tree with one small page."""
    for folder in ("transformer_lib", "requirements", "assets", "book"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "_config.yml", tmp_path)
    (tmp_path / "references.bib").touch()
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: chapters/page\n", encoding="utf-8")
    (tmp_path / "chapters").mkdir()
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.cells = [nbformat.v4.new_markdown_cell("# Page"), nbformat.v4.new_code_cell(CELL)]
    nbformat.write(notebook, tmp_path / "chapters" / "page.ipynb")
    return tmp_path


def build(root: Path) -> str:
    """Build the copy and return what its page's cell shows."""
    command = [sys.executable, "-m", "book.build", str(root)]
    env = environment() | {"CI": ""}  # the page stores no output, which in CI would be an error
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return (root / "_build" / "html" / "chapters" / "page.html").read_text(encoding="utf-8")


TWICE = """

right = softmax


def softmax(x, axis=-1):
    return 2 * right(x, axis)
"""


def change_softmax(root: Path) -> None:
    """Make the softmax of the copy return twice what it should."""
    with (root / "transformer_lib" / "formulas" / "softmax.py").open("a", encoding="utf-8") as file:
        file.write(TWICE)


def test_changed_formula_shows_in_the_page(small_book: Path) -> None:
    assert "[0.25 0.25 0.25 0.25]" in build(small_book)
    change_softmax(small_book)
    assert "[0.5 0.5 0.5 0.5]" in build(small_book)


@pytest.mark.parametrize(
    "file", ["transformer_lib/__init__.py", "requirements/lock.txt", "chapters/numbers.toml"]
)
def test_changed_input_empties_the_cache(small_book: Path, file: str) -> None:
    cache.drop_if_stale(small_book)
    kept = small_book / cache.FOLDER / "kept"
    kept.mkdir(parents=True)
    assert not cache.drop_if_stale(small_book)
    assert kept.exists()
    with (small_book / file).open("a", encoding="utf-8") as opened:
        opened.write("# changed\n")
    assert cache.drop_if_stale(small_book)
    assert not kept.exists()
