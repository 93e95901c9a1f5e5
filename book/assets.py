"""Put what the pages load, from scripts to wheels, into assets/vendor: `python -m book.assets`."""

import argparse
import hashlib
import shutil
import tarfile
import tempfile
import tomllib
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from book import editor, npm, wheels
from book.paths import ROOT

PINS = "book/assets.toml"


def ensure(root: Path = ROOT) -> bool:
    """Fetch what `book/assets.toml` pins, unless it is there; True when something was fetched."""
    pins = (root / PINS).read_bytes()
    vendor = root / "assets" / "vendor"
    stamp = vendor / ".pins"
    key = hashlib.sha256(pins + (root / editor.ENTRY).read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return False
    shutil.rmtree(vendor, ignore_errors=True)
    wanted = tomllib.loads(pins.decode())
    fetch_all(wanted, vendor)
    editor.bundle(wanted, vendor, root)
    stamp.write_text(key, encoding="utf-8")
    return True


def fetch_all(pins: dict[str, Any], vendor: Path) -> None:
    """Fetch every package and copy its files."""
    for package in pins["package"]:
        name, version = package["name"], package["version"]
        print(f"Fetching {name} {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            archive = npm.fetch(
                name, version, package["integrity"], pins["npm"]["pip"], Path(folder)
            )
            unpack(archive, package["files"], vendor)


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
            (vendor / folder).mkdir(parents=True, exist_ok=True)
            for member in members:
                with tar.extractfile(member) as file:  # type: ignore[union-attr]
                    (vendor / folder / Path(member.name).name).write_bytes(file.read())


def main(words: Sequence[str] | None = None) -> None:
    """Fetch what is missing and say whether that was anything."""
    argparse.ArgumentParser(prog="python -m book.assets", description=__doc__).parse_args(words)
    print("Fetched assets/vendor." if ensure() else "assets/vendor is up to date.")
    if reason := wheels.ensure(ROOT / "assets" / "vendor" / "pyodide"):
        print(reason)


if __name__ == "__main__":
    main()
