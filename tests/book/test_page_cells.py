"""What a page is told of its cells: their code, their outputs, and which of them need torch."""

import json
from pathlib import Path
from typing import Any

import pytest

from book import toc
from book.live import page_cells
from book.live.kernel.outputs import fingerprint
from book.live.page_cells import described
from book.live.torch_cells import needing_torch
from book.paths import ROOT


def need(*cells: str) -> list[bool]:
    return needing_torch([(code, []) for code in cells])


def test_a_name_that_is_made_anew_is_free_again() -> None:
    assert need("import torch as t\nx = t.ones(2)", "x = 1", "x + 1") == [True, False, False]
    assert need("import torch\nx = 1", "x = 2\nx + 1", "x = x + 1") == [True, False, False]


@pytest.mark.parametrize(
    "code",
    [
        "from transformer_lib import nn",
        "from transformer_lib.training import train",
        "import transformer_lib.nn.block",
        "from transformer_lib import transfer",
        "from book.experiments import transfer",
        "def f():\n    import torch",
    ],
)
def test_the_packages_that_import_torch_need_it(code: str) -> None:
    assert need(code) == [True]
    assert need("from transformer_lib import plot, widgets") == [False]


def test_what_stands_inside_a_function_is_its_own() -> None:
    assert need("import torch\nx = 1", "def f(x):\n    return x", "f(2)") == [True, False, False]
    assert need("import torch\nx = 1", "def f(y):\n    return x", "f(2)") == [True, True, True]


def test_a_tag_says_what_the_code_does_not_show() -> None:
    assert needing_torch([("x = 1", ["needs-torch"]), ("x", [])]) == [True, True]


def test_outputs_are_known_by_what_a_reader_sees() -> None:
    plain: dict[str, Any] = {"data": {"text/plain": ["a", "b"]}}
    assert fingerprint(plain) == fingerprint({"data": {"text/plain": "ab"}})
    assert fingerprint(plain) != fingerprint({"data": {"text/plain": "ab", "text/html": "<b>"}})
    chart = '<figure class="tl-chart"><svg d="{}"></svg></figure>'
    one, other = ({"data": {"text/plain": "x", "text/html": chart.format(n)}} for n in "12")
    assert fingerprint(one) == fingerprint(other)


def test_every_chapter_runs_some_cells_without_torch() -> None:
    for path in toc.notebooks():
        cells = described(json.loads(path.read_text(encoding="utf-8"))["cells"])
        assert not all(cell["torch"] for cell in cells if cell["shown"]), path.name
        assert all(len(cell["prints"]) <= 3 for cell in cells)


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        *[("14_families", 12), ("tokens_measured", 2), ("18_real_text", 0)],
        *[("19_published_model", 0), ("own_experiment", 0)],
    ],
)
def test_a_cell_that_reads_only_files_is_not_said_to_need_torch(name: str, lost: int) -> None:
    cells = json.loads((ROOT / f"chapters/{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    assert sum(cell["torch"] for cell in described(cells)) == lost


def test_no_cell_of_the_published_model_runs_before_the_reader_asks_for_it() -> None:
    path = ROOT / "chapters/19_published_model.ipynb"
    cells = {each["id"]: each for each in described(json.loads(path.read_text("utf-8"))["cells"])}
    without = [each for each in cells.values() if not each["waits"]]
    own = {"setup", "here", "in-your-browser", "agreement-code"}
    assert {each["id"] for each in without if "question" not in each["id"]} == own
    # What scores hundreds of sentences runs only for the cells that show its scores.
    scores = {f"{name}-run" for name in ("prefix", "agreement", "nonsense", "asking", "quantize")}
    for name in ("sink", "heads-code", "chefs", "word-end-code", "surprisal-code", "bias-code"):
        assert cells[name]["waits"] == ["imports"]
    assert {name for each in cells.values() for name in each["waits"]} >= scores


def test_a_cell_that_adds_to_a_name_reads_it():
    cells = ["import torch\nasked = []", "asked += [1]", "other = 2"]
    assert needing_torch([(code, []) for code in cells]) == [True, True, False]


def cell(name: str, code: str, tags: list[str], **marks: bool) -> dict[str, Any]:
    metadata = {"tags": tags} | ({"nbgrader": marks} if marks else {})
    return {"cell_type": "code", "id": name, "source": code, "outputs": [], "metadata": metadata}


def test_what_trains_many_models_waits_and_so_does_what_needs_it() -> None:
    cells = [
        cell("first", "x = 1", []),
        cell("many", "found = x", ["waits-for-a-press"]),
        cell("other", "y = x", []),
        cell("more", "z = y", ["waits-for-a-press"]),
        cell("claim", "print(found)", []),
        cell("both", "print(found, z)", []),
    ]
    assert {each["id"]: each["waits"] for each in described(cells)} == {
        "first": [],
        "many": ["many"],
        "other": [],
        "more": ["more"],
        "claim": ["many"],
        "both": ["many", "more"],
    }


def test_a_task_whose_check_needs_torch_needs_it_from_its_answer_on() -> None:
    found = described(
        [
            cell("given", "import torch", [], solution=False, grade=False),
            cell("double", "def double(x):\n    ...", [], solution=True, grade=False),
            cell("double-example", "double(1)", ["raises-exception"]),
            cell(
                "double-check", "assert double(torch.ones(1)) == 2", [], solution=False, grade=True
            ),
            cell("half", "def half(x):\n    ...", [], solution=True, grade=False),
            cell("half-check", "assert half(2) == 1", [], solution=False, grade=True),
        ]
    )
    assert [each["torch"] for each in found] == [True, True, True, True, False, False]
    assert [each["role"] for each in found] == ["given", "answer", "", "check", "answer", "check"]
    assert [each["fails"] for each in found] == [False, False, True, False, False, False]


def test_every_exercise_has_a_file_with_its_cells_and_its_notebook(tmp_path: Path) -> None:
    page_cells.write(tmp_path, ROOT)
    releases = sorted(ROOT.glob("exercises/release/*/*.ipynb"))
    assert releases and sorted(toc.exercises()) == releases
    for path in releases:
        name = path.relative_to(ROOT).with_suffix(".json")
        made = json.loads((tmp_path / page_cells.FOLDER / name).read_text(encoding="utf-8"))
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert [c["id"] for c in made["cells"]] == [
            c["id"] for c in cells if c["cell_type"] == "code"
        ]
        assert made["notebook"] == f"_sources/{path.relative_to(ROOT).as_posix()}"
        fixed = {c["id"] for c in made["cells"] if c["role"] in ("check", "given")}
        assert fixed == {c["id"] for c in cells if c["metadata"].get("editable") is False}
