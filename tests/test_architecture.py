"""The arrows between the rooms go one way, and docs/architecture.md shows them as they are."""

import itertools
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from graphlib import CycleError
from pathlib import Path

import pytest

import transformer_lib
from book import floors, imports, rooms
from book.paths import ROOT
from course import ledger
from course.ledger import recomputation

MAY_IMPORT = {
    "formulas": "",
    "decoding": "formulas",
    "model": "formulas",
    "text": "formulas",
    "scaling": "formulas model",
    "nn": "formulas decoding model",
    "families": "formulas model nn",
    "training": "formulas decoding model nn text tl",
    "pretraining": "formulas decoding",
    "transfer": "formulas model nn pretraining training",
    "plot": "formulas decoding",
    "widgets": "formulas decoding model plot",
    "tl": "formulas decoding model",
    "course": "plot model scaling tl widgets course/languages",
    "course/languages": "formulas decoding model",
    "course/recomputations": "formulas decoding",
    "course/training": "formulas decoding model tl training course/languages",
    "course/published": "model nn text families",
    "course/ledger": "course course/recomputations plot",
    "course/questions": "course course/ledger plot",
    "book/kernel": "",
    "exercises": "exercises/grader",
    "exercises/grader": "",
    "exercises/mistakes": "",
}
"""Each room with the rooms that it may know of; book and chapters may know of all."""

ARRAYS = "numpy array_api_compat jaxtyping"
FROM_OUTSIDE = {
    **dict.fromkeys(["decoding", "model", "text", "tl"], ARRAYS),
    **dict.fromkeys(["scaling", "pretraining"], ARRAYS),
    "formulas": f"{ARRAYS} torch",  # torch only once a tensor has come in; see test_import.py
    "nn": f"{ARRAYS} torch",
    "families": f"{ARRAYS} torch",
    "training": f"{ARRAYS} torch IPython",  # IPython only where a notebook's kernel runs it
    "transfer": f"{ARRAYS} torch",
    "plot": f"{ARRAYS} matplotlib",
    "widgets": f"{ARRAYS} ipywidgets",
    **dict.fromkeys([room for room in MAY_IMPORT if room.startswith("course")], "numpy"),
    "course/training": "numpy torch jaxtyping",
    "course/published": "torch",
    "course": "numpy ipywidgets pygments",  # which colors the code that a page shows
    "book/kernel": "IPython comm markdown_it mdit_py_plugins",  # all of pure Python
    "exercises": "nbformat nbgrader",
    "exercises/grader": "numpy distributed",
    "exercises/mistakes": "numpy torch",
}
BUILT = {"my/", "chapters/api"}
"""What the pages name that is made on a machine, or that is the name of a page."""

FREE = {"book", "book/experiments", "chapters"}


def breaches(found: imports.Imports, allowed: Mapping[str, str]) -> dict[str, set[str]]:
    """Each room with what it imports and may not."""
    named = {rooms.name(room): {rooms.name(b) for b in below} for room, below in found.items()}
    beyond = {r: b - set(allowed[r].split()) for r, b in named.items() if r not in FREE}
    return {room: below for room, below in beyond.items() if below}


@pytest.fixture(scope="module")
def arrows() -> imports.Imports:
    """Those of this house, whose files are read once."""
    return imports.arrows()


@pytest.fixture(scope="module")
def outside() -> imports.Imports:
    return imports.outside()


def test_every_room_has_its_rule(arrows: imports.Imports) -> None:
    found = {rooms.name(room) for room in arrows}
    assert found - FREE == MAY_IMPORT.keys() == FROM_OUTSIDE.keys()


def test_no_room_imports_a_room_that_it_may_not_know(arrows: imports.Imports) -> None:
    assert breaches(arrows, MAY_IMPORT) == {}


def test_no_room_imports_a_package_that_it_may_not_need(outside: imports.Imports) -> None:
    assert breaches(outside, FROM_OUTSIDE) == {}


def test_the_rules_themselves_go_one_way() -> None:
    rooms.check({room: set(below.split()) for room, below in MAY_IMPORT.items()})


def test_the_library_asks_for_all_that_it_imports_and_no_more(outside: imports.Imports) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    used = set().union(*(outside[room] for room in outside if room.startswith("transformer_lib")))
    asked = [*project["dependencies"], *extras["torch"], *extras["notebook"]]
    names = {line.split(">=")[0].replace("-", "_") for line in asked}
    assert names == used - {"IPython"}


def test_the_picture_and_the_table_show_the_arrows_of_today(arrows: imports.Imports) -> None:
    for path, text in rooms.drawings(arrows).items():
        assert path.read_text(encoding="utf-8") == text, "run `python -m book.rooms`"


PAGES = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/install.md"]


@pytest.mark.parametrize("page", PAGES)
def test_what_the_plan_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / page).parent.joinpath(link).exists(), link
    paths = {path for path in re.findall(r"`([\w.-]+/[\w./-]*)`", text) if "N" not in path}
    assert paths
    for path in paths - BUILT - {path for path in paths if path.startswith("_build/")}:
        assert any((ROOT / folder / path).exists() for folder in ("", "transformer_lib")), path


def test_make_has_what_the_pages_ask_of_it() -> None:
    pages = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    asked = set(re.findall(r"(?:^|`|&& )make ([a-z-]+)", pages, re.MULTILINE))
    rules = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert len(asked) > 5 and asked <= rules, asked - rules


def test_from_an_entry_of_the_ledger_three_hops_lead_to_the_formula() -> None:
    """Those that docs/architecture.md describes."""
    number = ledger.load().numbers["002.4a.softmax"]
    assert number.compute == "attention.softmax"
    recomputed = recomputation.function(number.compute)
    assert recomputed.__module__ == "course.recomputations.attention"
    called = {recomputed.__globals__.get(name) for name in recomputed.__code__.co_names}
    assert transformer_lib.softmax in called
    assert transformer_lib.softmax.__module__ == "transformer_lib.formulas.softmax"


def test_imports_count_wherever_they_stand() -> None:
    code = """
from typing import TYPE_CHECKING
import a.b as c, d
if TYPE_CHECKING:
    from e import f
def late():
    from g.h import i
    import_module(f"j.k.{i}")
    importlib.import_module("l")
"""
    found = {"typing.TYPE_CHECKING", "a.b", "d", "e.f", "g.h.i", "j.k", "l"}
    assert set(imports.names(code)) == found


def house(root: Path, **files: str) -> Path:
    """Write modules of a small house, each named ROOM__MODULE."""
    for key, code in files.items():
        path = root.joinpath("transformer_lib", *key.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(code, encoding="utf-8")
    return root


def test_a_forbidden_arrow_is_found(tmp_path: Path) -> None:
    late = "def f():\n    from transformer_lib import nn\n    import torch, json\n"
    root = house(tmp_path, model__deep=late, nn__stack="")
    assert breaches(imports.arrows(root), MAY_IMPORT) == {"model": {"nn"}}
    assert breaches(imports.outside(root), FROM_OUTSIDE) == {"model": {"torch"}}


def test_rooms_in_a_circle_are_not_drawn(tmp_path: Path) -> None:
    up, down = "import transformer_lib.nn.block", "import transformer_lib.model.layer"
    root = house(tmp_path, model__layer=up, nn__stack=down)
    with pytest.raises(CycleError):
        rooms.drawings(imports.arrows(root))


def test_an_arrow_that_others_imply_is_in_the_table_alone() -> None:
    graph: imports.Imports = {"a": set(), "b": {"a"}, "c": {"a", "b"}}
    assert [floors.direct(box, graph) for box in graph] == [[], ["a"], ["b"]]
    assert rooms.table(graph).splitlines()[1:-1] == [
        "       1  2",
        " 1  a",
        " 2  b  ■",
        " 3  c  ■  ■",
    ]


def test_boxes_stand_apart_and_arrows_go_down() -> None:
    graph: imports.Imports = {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"a"}, "e": {"b", "c", "d"}}
    graph |= {"f": {"b"}, "g": {"f", "d"}, "h": {"g", "c"}}
    root = ET.fromstring(floors.svg(graph, dict.fromkeys(graph, "#fff")))
    boxes = [each for each in root if each.tag.endswith("rect") and each.get("x")]
    assert len(boxes) == len(graph)
    for one, other in itertools.combinations(boxes, 2):
        if one.get("y") == other.get("y"):
            gap = abs(float(one.get("x", 0)) - float(other.get("x", 0)))
            assert gap >= floors.WIDTH + floors.GAP - 1  # rounded to pixels
    curves = [each.get("d", "") for each in root if each.get("fill") == "none"]
    assert len(curves) == sum(len(floors.direct(box, graph)) for box in graph)
    for curve in curves:
        heights = [float(number) for number in re.findall(r"[\d.]+", curve)][1::2]
        assert heights == sorted(heights) and heights[0] < heights[-1]
