"""Each chapter has nothing to mend, and what `make chapter` says is in plain words."""

import json
from pathlib import Path

import pytest

from book import chapter, ties, toc
from book.text import folds, shown_cells


@pytest.mark.parametrize("path", toc.notebooks(), ids=lambda path: path.stem)
def test_nothing_is_to_be_mended(path: Path) -> None:
    assert "\n\n".join(chapter.complaints(path)) == ""


def written(folder: Path, *cells: tuple[str, str]) -> Path:
    """A notebook of these kinds and sources of cells."""
    parts = [
        {"cell_type": kind, "id": f"c{n}", "metadata": {}, "source": source}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for n, (kind, source) in enumerate(cells)
    ]
    path = folder / "a_page.ipynb"
    path.write_text(
        json.dumps({"cells": parts, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
        encoding="utf-8",
    )
    return path


def test_a_run_stores_outputs_and_judges_the_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = 'It is <span data-tie="x">7</span>.'
    path = written(tmp_path, ("markdown", mark), ("code", "x = 6\nprint(x)"))
    monkeypatch.setattr(ties, "rows", lambda _: {"x": {"is": "x"}})
    assert chapter.run(path) == ["a_page, x: “7”: by x, 7 is 6"]
    assert json.loads(path.read_text("utf-8"))["cells"][1]["outputs"][0]["text"] == ["6\n"]


def test_a_cell_that_fails_is_named(tmp_path: Path) -> None:
    (said,) = chapter.run(written(tmp_path, ("code", "1 / 0")))
    assert "ZeroDivisionError" in said


def test_code_that_nobody_can_follow_is_named(tmp_path: Path) -> None:
    long = "\n".join(["x = 1"] * 26 + [f"y = {'1 + ' * 20}1"])
    path = written(tmp_path, ("code", "import numpy as np"), ("code", "factor * np.ones(n := 2)"))
    assert shown_cells.hidden_names(path) == ["cell c1 uses factor, which no cell above it shows"]
    lines, columns = shown_cells.too_long(written(tmp_path, ("code", long)))
    assert lines == "cell c0 has 27 lines: at most 25"
    assert columns.startswith("cell c0 has a line of 85 columns, at most 78: y = 1")


def test_what_each_chapter_has_is_asked_for(tmp_path: Path) -> None:
    cells = ("markdown", "# 1. Of one"), ("code", "x = 1")
    path = written(tmp_path, *cells).rename(tmp_path / "02_of_two.ipynb")
    named, *asked = [each.removeprefix("the text must ") for each in chapter.complaints(path)]
    assert named == "_toc.yml does not name chapters/02_of_two"
    parts = ["# 2. ", "**You need**", "**Time:**", toc.PROMISE]
    assert asked[:4] == [f"contain {part}" for part in parts]
    assert asked[4] == "link to the library: [`tl.NAME`](#transformer_lib.NAME)"
    assert asked[5:] == ["the first code cell must be course.setup(), with the tag remove-cell"]


def test_a_file_that_cannot_be_run_is_named_without_a_traceback(tmp_path: Path) -> None:
    path = written(tmp_path, ("code", "x = (1"), ("markdown", "Text."))
    assert chapter.unreadable(path) == ["a_page.ipynb, cell c0: '(' was never closed, in line 1"]
    text = path.read_text(encoding="utf-8").replace("x = (1", "x = 1").replace('"c1"', '"c0"')
    path.write_text(text, encoding="utf-8")
    assert chapter.unreadable(path) == ["a_page.ipynb has two cells with the id c0"]
    path.write_text(text[:-1], encoding="utf-8")
    assert "is not JSON: Expecting" in chapter.unreadable(path)[0]


def test_what_a_page_removes_is_folded_in_jupyterlab(tmp_path: Path) -> None:
    path = written(tmp_path, ("code", "x = 1"))
    hidden = path.read_text(encoding="utf-8").replace(
        '"metadata": {}', '"metadata": {"tags": ["remove-cell"]}', 1
    )
    path.write_text(hidden, encoding="utf-8")
    folds.write(path)
    (cell,) = shown_cells.code_cells(path)
    assert cell["metadata"]["jupyter"] == {"source_hidden": True}


def test_an_objective_that_nothing_asks_is_named(tmp_path: Path) -> None:
    head = "**After this chapter you can**\n\n1. add,\n2. count,\n3. rest.\n\n**Time:** 5 minutes."
    asked = "questions.choose(objective=2)\nquestions.pose(objective=4)"
    cells = [
        ("markdown", head),
        ("code", asked),
        ("markdown", "## Exercises\n\nFor objectives 1 and 2."),
    ]
    path = written(tmp_path, *cells)
    assert chapter.objectives(json.loads(path.read_text(encoding="utf-8"))) == [
        "no question and no exercise asks objective 3",
        "objective 4 is asked, and the head has none of it",
    ]


def test_the_command_reports_and_a_wrong_name_is_no_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        chapter.main(["99"])
    assert "there is no chapter 99" in capsys.readouterr().err
