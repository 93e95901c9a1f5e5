from pathlib import Path

import nbformat
import pytest

from book import refresh

NAMES = ["03_first", "12_second", "worked"]
CELLS = ["import ipywidgets\n\nipywidgets.IntSlider(description='n')", "print(1)\nprint(2)"]


def test_stored_outputs_are_the_same_at_each_run(tmp_path: Path) -> None:
    path = tmp_path / "page.ipynb"
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(notebook, path)
    assert refresh.refresh(path)
    assert not refresh.refresh(path)
    stored = nbformat.read(path, as_version=4)
    assert "widgets" not in stored.metadata
    assert stored.metadata.kernelspec.name == "python3"
    assert set(stored.cells[0].outputs[0].data) == {"text/plain"}
    assert stored.cells[1].outputs[0].text == "1\n2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three chapters."""
    for name in NAMES:
        (tmp_path / f"{name}.ipynb").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ([], NAMES),
        (["12", "3"], ["12_second", "03_first"]),
        (["03", "worked"], ["03_first", "worked"]),
        (["chapters/12_second.ipynb"], ["12_second"]),
    ],
)
def test_chapters_are_taken_by_number_or_name(
    folder: Path, asked: list[str], found: list[str]
) -> None:
    assert [path.stem for path in refresh.chapters(asked, folder)] == found


@pytest.mark.parametrize("name", ["1", "13", "03_", "first", "worked_numbers"])
def test_a_chapter_that_is_not_there_is_named(folder: Path, name: str) -> None:
    with pytest.raises(ValueError, match=rf"no chapter {name}; there are 03_first, 12_second"):
        refresh.chapters([name], folder)


def test_the_kernels_compute_in_the_fixed_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "03_first.ipynb"
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "ATEN_CPU_CAPABILITY")
    code = f"import os\n\nprint([os.environ.get(name) for name in {names}])"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, path)
    for name, value in zip(names, ("8", "8", "avx2"), strict=True):
        monkeypatch.setenv(name, value)
    refresh.refresh(path)
    shown = nbformat.read(path, as_version=4).cells[0].outputs[0].text
    assert shown == "['1', '1', None]\n"
