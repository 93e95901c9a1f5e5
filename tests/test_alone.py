"""A notebook of the book, alone in a folder, runs below the cell that README gives for it."""

import re
import shutil
from pathlib import Path

import pytest

from tests import environment

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
BUILT = ("_build", "build", "*.egg-info", "__pycache__", "my", "vendor", ".*")
PACKAGES = ("torch", "matplotlib", "ipywidgets", "tokenizers", "array-api-compat", "jaxtyping")
"""What the wheels ask for: it is there already, because no test depends on a network."""

CODE = """
import os, sys, nbformat
from nbclient import NotebookClient
name, cell = sys.argv[1:]
os.chdir(os.path.dirname(name))
os.environ["PIP_NO_INDEX"] = "1"
book = nbformat.read(name, 4)
book.cells.insert(0, nbformat.v4.new_code_cell(cell))
assert os.listdir() == [os.path.basename(name)]
NotebookClient(book, timeout=600, kernel_name="python3").execute()
print(book.cells[0].outputs)
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both wheels, built from a copy of the checkout."""
    tree = tmp_path_factory.mktemp("tree") / "checkout"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*BUILT))
    environment.build(tree, tree / "course", into=tree / "wheels")
    return tree / "wheels"


def cell(wheels: Path) -> str:
    """The cell of README, with the folder of the wheels in place of the address."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^  WHEELS = .*\n((?:  .*\n)+?)  ```", text, re.MULTILINE)
    return f'WHEELS = "{wheels}"\n' + re.sub("^  ", "", said, flags=re.MULTILINE)


@pytest.mark.parametrize("chapter", ["04_attention", "13_decoding"])
def test_a_chapter_runs_in_an_empty_folder(chapter: str, wheels: Path, tmp_path: Path) -> None:
    script = environment.jupyter(tmp_path / "jupyter", *PACKAGES)
    alone = tmp_path / "alone" / f"{chapter}.ipynb"
    alone.parent.mkdir()
    shutil.copy(ROOT / "chapters" / alone.name, alone)
    environment.run(script, CODE, alone, cell(wheels))
