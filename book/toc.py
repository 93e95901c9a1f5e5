"""The pages that `_toc.yml` lists."""

import functools
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from book.paths import ROOT

PROMISE = "**After this chapter you can**"


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
