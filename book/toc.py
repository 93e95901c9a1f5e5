"""The pages that `_toc.yml` lists."""

import functools
import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from book.paths import ROOT

PROMISE = "**After this chapter you can**"
NEED = re.compile(r"\*\*You need\*\*(.*?)\*\*Time", re.DOTALL)


def pages(root: Path = ROOT) -> list[str]:
    """Names of the pages in reading order, without suffix: "intro", "chapters/notation"."""
    return list(_pages((root / "_toc.yml").read_text(encoding="utf-8")))


@functools.cache  # to read YAML takes longer than what is asked of the pages
def _pages(contents: str) -> list[str]:
    return walk(yaml.safe_load(contents))


def walk(entry: Any) -> list[str]:
    """The pages of one entry and of all below it."""
    if isinstance(entry, list):
        return [page for part in entry for page in walk(part)]
    if not isinstance(entry, dict):
        return []
    own = [entry[key] for key in ("root", "file") if key in entry]
    return own + [page for value in entry.values() for page in walk(value)]


@functools.cache
def branches(root: Path = ROOT) -> list[list[str]]:
    """The outer pages of the side bar in reading order, each with the pages below it.

    >>> branches()[0], branches()[1][0]
    (['intro'], 'chapters/attention')
    """
    contents = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry for part in contents["parts"] for entry in part["chapters"]]
    return [[contents["root"]], *map(walk, chapters)]


@functools.cache
def reading(root: Path = ROOT) -> list[str]:
    """The pages in the order of the side bar, but no page before one that its head says it needs.

    >>> order = reading()
    >>> order.index("chapters/12_training") < order.index("chapters/recurrent_measured")
    True
    """
    outer = {page: branch[0] for branch in branches(root) for page in branch}
    waiting, order = pages(root), list[str]()
    needs = {page: {outer[page]} - {page} | _needs(root, page) for page in waiting}
    while waiting:
        ready = [page for page in waiting if not needs[page] & set(waiting)]
        beside = [page for page in ready if order and outer[page] == outer[order[-1]]]
        order.append((beside or ready)[0])
        waiting.remove(order[-1])
    return order


def _needs(root: Path, page: str) -> set[str]:
    """The pages that the head of a chapter names."""
    path = root / f"{page}.ipynb"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {f"chapters/{stem}" for need in NEED.findall(text) for stem in named(need)}


def named(need: str) -> list[str]:
    """The chapters to which a text links."""
    return re.findall(r"\]\((\w+)\.ipynb\)", need)


def notebooks(root: Path = ROOT) -> list[Path]:
    """The notebooks among the pages that the book runs: not the exercises."""
    return _below(root, "chapters")


def chapters(root: Path = ROOT) -> list[Path]:
    """The notebooks whose heads promise what a reader can do after them."""
    return [path for path in notebooks(root) if PROMISE in path.read_text(encoding="utf-8")]


def exercises(root: Path = ROOT) -> list[Path]:
    """The notebooks among the pages that are shown as a student gets them."""
    return _below(root, "exercises")


def _below(root: Path, folder: str) -> list[Path]:
    files = [root / f"{page.removesuffix('.ipynb')}.ipynb" for page in pages(root)]
    return [file for file in files if file.exists() and root / folder in file.parents]
