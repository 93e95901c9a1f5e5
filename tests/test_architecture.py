"""The pages on how the house is built name what is there; import-linter reads who imports whom."""

import re

import pytest

import transformer_lib
from book.paths import ROOT
from course import ledger
from course.ledger import recomputation

BUILT = {"my/", "chapters/api"}
"""What the pages name that is made on a machine, or that is the name of a page."""

PAGES = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md"),
    *(f"docs/{name}.md" for name in ("architecture", "install", "maintaining")),
]


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
