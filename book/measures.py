"""Print what the course counts of itself, beside its budgets: `python -m book.measures`.

`docs/maintaining.md` says what each number is good for. A number over its budget in
`book/budgets.toml` is an error.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import grimp
from bs4 import BeautifulSoup

from book import toc
from book.paths import ROOT, html_folder
from book.testing import budget, calls
from book.testing.lines import PRODUCT, lines_of

PACKAGES = ["transformer_lib", "course", "exercises", "book"]
NOT_READ = "script, style, math, .cell_input, .cell_output, .highlight, .headerlink, .tl-beside"
"""What of a page is no running text: code, what it prints, formulas and links to other pages."""


def words_of(page: Path) -> int:
    """Words of running text on a built page."""
    article = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").article
    if article is None:
        raise ValueError(f"{page} must be a built page of the book, and it has no <article>")
    for each in article.select(NOT_READ):
        each.decompose()
    return len(re.findall(r"[^\W_][\w'’.-]*", article.get_text(" ")))


def words() -> dict[str, int]:
    """Words of the road, which is the half hour and chapters 0 to 13, and of all pages that run."""
    found = {
        path.stem: words_of(html_folder() / path.relative_to(ROOT).with_suffix(".html"))
        for path in toc.notebooks()
    }
    road = [stem for stem in found if stem == "attention" or re.match(r"0\d_|1[0-3]_", stem)]
    return {"road": sum(found[stem] for stem in road), "pages": sum(found.values())}


def circles() -> int:
    """Arrows between packages, and between modules of one, that must go to leave no circle."""
    graph = grimp.build_graph(*PACKAGES)
    return sum(
        len(arrows_back(graph, module))
        for module in [*graph.modules]
        if graph.find_children(module)
    )


def arrows_back(graph: grimp.ImportGraph, package: str) -> set[tuple[str, str]]:
    """The fewest arrows between the children of a package that close its circles."""
    depth = package.count(".") + 2
    return {
        (".".join(importer.split(".")[:depth]), ".".join(imported.split(".")[:depth]))
        for importer, imported in graph.nominate_cycle_breakers(package)
    }


def recipes() -> dict[str, tuple[int, int]]:
    """The files that each recipe of CONTRIBUTING names, and how many lines of Python they have."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = {}
    for head, recipe in re.findall(r"^## An? (\w+)\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL):
        paths = {named(path) for path in re.findall(r"`([\w./-]+\.\w+)`", recipe)} - {None}
        python = [path for path in paths if path and path.suffix == ".py"]
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in python)
        found[head] = (len(paths), lines)
    return found


def named(path: str) -> Path | None:
    """The file that a recipe means, where it is there: a recipe leaves out the first folders."""
    places = [ROOT / path, ROOT / "transformer_lib/families" / path]
    return next((place for place in places if place.is_file()), None)


def counts() -> dict[str, float]:
    """All that is counted, by the names of `book/budgets.toml`."""
    found: dict[str, float] = {f"words of the {name}": each for name, each in words().items()}
    found["circles of packages"] = circles()
    for name, each in calls.passes().items():
        found[f"calls of a layer, {name}"] = len(each)
    for name, (files, lines) in recipes().items():
        found[f"files to open for a {name}"] = files
        found[f"lines of Python there, {name}"] = lines
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each number beside what it may be; 1 where one is over its budget."""
    argparse.ArgumentParser(prog="python -m book.measures", description=__doc__).parse_args(
        arguments
    )
    allowed, found = budget.budgets()["counts"], counts()
    if unknown := allowed.keys() ^ found.keys():
        raise ValueError(f"book/budgets.toml must name what is counted, and differs in {unknown}")
    print(
        f"{lines_of(PRODUCT):7,} lines of Python in the product, {lines_of(['tests']):,} in tests"
    )
    for name, each in found.items():
        over = "  OVER ITS BUDGET" if each > allowed[name] else ""
        print(f"{each:7,} {name}, of {allowed[name]:,}{over}")
    return int(any(each > allowed[name] for name, each in found.items()))


if __name__ == "__main__":
    sys.exit(main())
