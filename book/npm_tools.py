"""Fetch from npm what builds and tests the book and no page loads: `python -m book.npm_tools`."""

import argparse
import hashlib
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

from book import assets
from book.paths import ROOT

FOLDER = ROOT / "_build" / "tools"
"""Of this checkout, whichever folder is built: not below assets, which is published."""


def ensure(folder: Path = FOLDER) -> Path:
    """Fetch what `book/assets.toml` pins as a tool, unless it is there; the folder."""
    pins = tomllib.loads((ROOT / assets.PINS).read_text(encoding="utf-8"))
    stamp = folder / ".pins"
    key = hashlib.sha256(repr(pins["tool"]).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != key:
        shutil.rmtree(folder, ignore_errors=True)
        assets.fetch_all({"package": pins["tool"], "npm": pins["npm"]}, folder)
        stamp.write_text(key, encoding="utf-8")
    return folder


def main(words: Sequence[str] | None = None) -> None:
    """Fetch what is missing and say where it lies."""
    argparse.ArgumentParser(prog="python -m book.npm_tools", description=__doc__).parse_args(words)
    print(f"The tools are in {ensure().relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
