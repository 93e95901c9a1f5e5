"""What a reader sees of the code of a chapter can be run; what only authors need is not shown."""

import builtins
import itertools
import json
import re
import symtable
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from book import toc
from book.paths import ROOT, html_folder
from course import ledger

CHAPTERS = toc.chapters()
NOTEBOOKS = [*CHAPTERS, ROOT / "chapters/worked_numbers.ipynb"]
REMOVED = {"remove-input", "remove-cell"}
FOLDED = {"hide-input", "hide-cell"}

chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

Cell = dict[str, Any]


def code_cells(path: Path) -> list[Cell]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def tags(cell: Cell) -> set[str]:
    return set(cell["metadata"].get("tags", []))


def shown(path: Path) -> list[Cell]:
    """The cells whose code a reader of the page sees, at once or by unfolding it."""
    return [cell for cell in code_cells(path) if not tags(cell) & REMOVED]


def visible(path: Path) -> list[Cell]:
    return [cell for cell in shown(path) if not tags(cell) & FOLDED]


def source(cell: Cell) -> str:
    return "".join(cell["source"])


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from scopes(child)


def names(code: str) -> tuple[set[str], set[str]]:
    """The names that a cell takes from outside of its functions, and those that it defines."""
    top, *inner = scopes(symtable.symtable(code, "cell", "exec"))
    own = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    used = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    for scope in inner:
        used |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
    return used, own


@notebook
def test_what_is_shown_uses_only_what_is_shown_above_it(path: Path) -> None:
    at_once, unfolded, missing = set(dir(builtins)), set(), []
    for cell in shown(path):
        folded = bool(tags(cell) & FOLDED)
        used, own = names(source(cell))
        unknown = used - own - at_once - (unfolded if folded else set())
        missing += [f"{cell['id']}: {name}" for name in sorted(unknown)]
        (unfolded if folded else at_once).update(own)
    assert missing == []


def test_a_name_that_is_missing_is_found() -> None:
    used, own = names("import numpy as np\n\ndef double(x):\n    return factor * np.ones(n := x)\n")
    assert used - own == {"factor"}


@chapter
def test_one_visible_cell_imports_the_library_and_none_poses_anything(path: Path) -> None:
    code = [source(cell) for cell in visible(path)]
    (imports,) = [text for text in code if "import numpy as np" in text]
    assert re.search(r"import transformer_lib as tl|from (transformer_lib|course)\.", imports)
    assert "np.set_printoptions(" in imports
    assert not any(re.search(r"\b(ledger|questions)\b", text) for text in code)


def test_no_visible_cell_holds_an_id_of_the_ledger() -> None:
    ids = ledger.load().numbers
    beginnings = {id.rsplit(".", n)[0] for id in ids for n in range(id.count("."))}
    for path in NOTEBOOKS:
        strings = set(re.findall(r'"([^"\n]+)"', "\n".join(map(source, visible(path)))))
        assert strings & (beginnings | set(ids)) == set(), path.name


@notebook
def test_the_first_cell_shows_the_style_and_the_page_removes_it(path: Path) -> None:
    first = code_cells(path)[0]
    assert "course.setup()" in source(first) and tags(first) == {"remove-cell"}
    assert first["metadata"]["jupyter"]["source_hidden"]


@notebook
def test_what_the_page_removes_is_folded_in_jupyterlab(path: Path) -> None:
    removed = [cell for cell in code_cells(path) if tags(cell) & REMOVED]
    assert [cell["id"] for cell in removed if not cell["metadata"].get("jupyter")] == []


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


@chapter
def test_a_cell_has_at_most_25_lines_of_78_columns(path: Path) -> None:
    lines = {cell["id"]: source(cell).splitlines() for cell in shown(path)}
    assert {id: len(each) for id, each in lines.items() if len(each) > 25} == {}
    assert {id: line for id, each in lines.items() for line in each if len(line) > 78} == {}


TORCH = re.compile(r"\b(?:import torch|from transformer_lib(?:\.(?:nn|training)\b| import nn))")


SHORT = [path for path in CHAPTERS if path.stem < "08"]
"""The chapters in which one cell computes with torch, or none."""


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_cell_that_needs_torch_says_so_and_no_other_needs_it(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    own: set[str] = set()
    for before, cell in itertools.pairwise(cells):
        if cell["cell_type"] != "code":
            continue
        used, defined = names(source(cell))
        assert not used & own - defined, f"{cell['id']} goes on with what torch computed"
        if TORCH.search(source(cell)):
            assert "needs torch" in source(before), cell["id"]
            own |= defined


CALLED = re.compile(r"\btl\.(\w+)")
LINKED = re.compile(r"\[`[\w.]+`\]\(#transformer_lib\.([\w.]+)\)")


def formulas(pattern: re.Pattern[str], text: str) -> set[str]:
    """The names found; `attention` and `attention_steps` are one formula."""
    return {name.removesuffix("_steps") for name in pattern.findall(text)}


def prose(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")


def test_each_formula_leads_to_its_entry_from_a_chapter_that_calls_it() -> None:
    called, linked = set(), set()
    for path in CHAPTERS:
        here = formulas(CALLED, "\n".join(map(source, visible(path))))
        called |= here
        linked |= here & formulas(LINKED, prose(path))
    assert called - linked == set()


@chapter
def test_a_chapter_leads_to_the_library(path: Path) -> None:
    assert LINKED.search(prose(path))


@notebook
def test_the_page_loads_the_style_and_the_script_and_holds_no_copy(path: Path) -> None:
    page = html_folder() / "chapters" / f"{path.stem}.html"
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    text = page.read_text(encoding="utf-8")
    assert all(f"_static/{file}" in text for file in ("tables.css", "course.css", "course.js"))
    assert not any(rule in text for rule in (".tl-table caption {", ".tl-choice {", "tlNumbers"))
