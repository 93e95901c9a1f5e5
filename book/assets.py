"""Fetch what the pages load into assets/vendor, and tools beside them: `python -m book.assets`."""

import argparse
import hashlib
import shutil
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from book import npm
from book.live import editor, wheels
from book.paths import ROOT

PINS = "book/assets.toml"
TOOLS = ROOT / "_build" / "tools"
"""Of this checkout, whichever folder is built: not below assets, which is published."""


def ensure(root: Path = ROOT) -> bool:
    """Fetch what pages load, unless it is there; True when something was fetched."""
    wanted, vendor = pins(root), root / "assets" / "vendor"
    packages, bundled = wanted["package"], wanted["bundled"]

    def make() -> None:
        fetch_all(packages, vendor)
        editor.bundle(bundled, vendor, root)

    source = (root / editor.ENTRY).read_text(encoding="utf-8")
    return renew(vendor, [packages, bundled, source], make)


def tools() -> Path:
    """Fetch what builds and tests the book and no page loads, unless it is there; the folder."""
    wanted = pins()["tool"]
    renew(TOOLS, wanted, lambda: fetch_all(wanted, TOOLS))
    return TOOLS


def pins(root: Path = ROOT) -> dict[str, Any]:
    """What `book/assets.toml` pins."""
    return tomllib.loads((root / PINS).read_text(encoding="utf-8"))


def renew(folder: Path, wanted: object, make: Callable[[], None]) -> bool:
    """Make a folder anew, unless it was made of what is wanted; True when it was made."""
    stamp, key = folder / ".pins", hashlib.sha256(repr(wanted).encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    make()
    stamp.write_text(key, encoding="utf-8")
    return True


def fetch_all(packages: list[dict[str, Any]], into: Path) -> None:
    """Fetch every package and copy its files."""
    for package in packages:
        name, version = package["name"], package["version"]
        print(f"Fetching {name} {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            archive = npm.fetch(name, version, package["integrity"], Path(folder))
            unpack(archive, package["files"], into)


def unpack(archive: Path, wanted: dict[str, str], vendor: Path) -> None:
    """Copy the files that the patterns name, each pattern at least one.

    Raises:
        SystemExit: when a pattern names no file.
    """
    with tarfile.open(archive) as tar:
        for pattern, folder in wanted.items():
            members = [m for m in tar.getmembers() if fnmatch(m.name, f"package/{pattern}")]
            if not members:
                raise SystemExit(f"{archive.name} holds no file {pattern}: see {PINS}")
            for member in members:
                place = vendor / folder
                place = place if place.suffix == ".js" else place / Path(member.name).name
                place.parent.mkdir(parents=True, exist_ok=True)
                with tar.extractfile(member) as file:  # type: ignore[union-attr]
                    place.write_bytes(file.read())


def main(words: Sequence[str] | None = None) -> None:
    """Fetch what is missing and say whether that was anything."""
    argparse.ArgumentParser(prog="python -m book.assets", description=__doc__).parse_args(words)
    print("Fetched assets/vendor." if ensure() else "assets/vendor is up to date.")
    print(f"The tools are in {tools().relative_to(ROOT)}.")
    if reason := wheels.ensure(ROOT / "assets" / "vendor" / "pyodide"):
        print(reason)


if __name__ == "__main__":
    main()
