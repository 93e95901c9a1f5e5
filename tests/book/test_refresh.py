from pathlib import Path

import nbformat

from book import refresh

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
