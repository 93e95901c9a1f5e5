"""What a reader sees of the code of a chapter; what only authors need is not shown."""

import itertools
import re
from pathlib import Path

import pytest

from book import syllabus, toc
from book.live.torch_cells import TAG
from book.paths import ROOT, html_folder
from book.text import folds, prose
from book.text.shown_cells import FOLDED, REMOVED, Cell, code_cells, source, tags, visible
from course import ledger

CHAPTERS = toc.chapters()
NOTEBOOKS = [*CHAPTERS, ROOT / "chapters/worked_numbers.ipynb"]

chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@chapter
def test_one_visible_cell_imports_the_library_and_none_poses_anything(path: Path) -> None:
    code = [source(cell) for cell in visible(path)]
    (imports,) = [text for text in code if "import numpy as np" in text]
    library = re.search(r"import transformer_lib as tl|from (transformer_lib|course)\.", imports)
    assert library or not any("tl." in text for text in code)
    assert not any(re.search(r"\b(ledger|questions)\b", text) for text in code)


def test_no_visible_cell_holds_an_id_of_the_ledger() -> None:
    ids = ledger.load().numbers
    beginnings = {id.rsplit(".", n)[0] for id in ids for n in range(id.count("."))}
    for path in NOTEBOOKS:
        strings = set(re.findall(r'"([^"\n]+)"', "\n".join(map(source, visible(path)))))
        assert strings & (beginnings | set(ids)) == set(), path.name


@notebook
def test_what_the_page_removes_is_folded_in_jupyterlab(path: Path) -> None:
    removed = [cell for cell in code_cells(path) if tags(cell) & REMOVED]
    assert [cell["id"] for cell in removed if not cell["metadata"].get("jupyter")] == []


@pytest.mark.parametrize("path", toc.notebooks(), ids=lambda path: path.stem)
def test_the_code_of_what_draws_is_folded_in_the_page_and_in_jupyterlab(path: Path) -> None:
    drawing = [cell for cell in code_cells(path) if folds.tag(source(cell))]
    seen = [cell["id"] for cell in drawing if not folded(cell)]
    assert seen == [] or path.stem == folds.GALLERY, "run make chapter"


def folded(cell: Cell) -> bool:
    return bool(tags(cell) & (FOLDED | REMOVED)) and "jupyter" in cell["metadata"]


@notebook
def test_no_style_and_no_script_is_stored_twice(path: Path) -> None:
    stored = [
        tag
        for cell in code_cells(path)
        for output in cell["outputs"]
        for tag in re.findall(
            r"<style.*?</style>|<script.*?</script>",
            "".join(output.get("data", {}).get("text/html", "")),
            re.DOTALL,
        )
    ]
    assert len(stored) == len(set(stored)) >= 3


SHORT = [path for path in CHAPTERS if path.stem < "08"]
"""The chapters in which one cell computes with torch, or none."""


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_cell_that_needs_torch_says_so_and_no_other_needs_it(path: Path) -> None:
    for before, cell in itertools.pairwise(prose.read(path)["cells"]):
        if TAG in tags(cell):  # also what goes on with what torch computed
            assert "needs torch" in source(before), cell["id"]


CALLED = re.compile(r"\btl\.(\w+)")
LINKED = re.compile(r"\[`[\w.]+`\]\(#transformer_lib\.([\w.]+)\)")


def formulas(pattern: re.Pattern[str], text: str) -> set[str]:
    """The names found; `attention` and `attention_steps` are one formula."""
    return {name.removesuffix("_steps") for name in pattern.findall(text)}


def test_each_formula_leads_to_its_entry_from_a_chapter_that_calls_it() -> None:
    called, linked = set(), set()
    for path in CHAPTERS:
        here = formulas(CALLED, "\n".join(map(source, visible(path))))
        called |= here
        linked |= here & formulas(LINKED, syllabus.markdown(prose.read(path)))
    assert called - linked == set()


@notebook
def test_the_page_loads_the_style_and_the_script_and_holds_no_copy(path: Path) -> None:
    page = html_folder() / "chapters" / f"{path.stem}.html"
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    text = page.read_text(encoding="utf-8")
    assert all(f"_static/{file}" in text for file in ("tables.css", "course.css", "course.js"))
    assert not any(rule in text for rule in (".tl-table caption {", ".tl-choice {", "tlNumbers"))
