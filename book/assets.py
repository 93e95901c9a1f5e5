"""Put the scripts and fonts that the pages load into assets/vendor."""

import hashlib
import shutil
import tarfile
import tempfile
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from book import npm
from book.paths import ROOT

PINS = "book/assets.toml"


def ensure(root: Path = ROOT) -> bool:
    """Fetch what `book/assets.toml` pins, unless it is there; True when something was fetched."""
    pins = (root / PINS).read_bytes()
    vendor = root / "assets" / "vendor"
    stamp = vendor / ".pins"
    key = hashlib.sha256(pins).hexdigest()
    if stamp.exists() and stamp.read_text() == key:
        return False
    shutil.rmtree(vendor, ignore_errors=True)
    fetch_all(tomllib.loads(pins.decode()), vendor)
    stamp.write_text(key)
    return True


def fetch_all(pins: dict[str, Any], vendor: Path) -> None:
    """Fetch every package and copy its files."""
    for package in pins["package"]:
        print(f"Fetching {package['name']} {package['version']}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            archive = npm.fetch(
                package["name"],
                package["version"],
                package["integrity"],
                pins["npm"]["pip"],
                Path(folder),
            )
            unpack(archive, package, vendor / package["into"])


def unpack(archive: Path, package: dict[str, Any], into: Path) -> None:
    """Copy the files that a package's patterns name, each pattern at least one.

    Raises:
        SystemExit: when a pattern names no file.
    """
    with tarfile.open(archive) as tar:
        names = [name.removeprefix("package/") for name in tar.getnames()]
        for pattern in package["files"]:
            matches = [name for name in names if fnmatch(name, pattern)]
            if not matches:
                raise SystemExit(f"{package['name']} has no file {pattern}: see {PINS}")
            for name in matches:
                target = into / name.removeprefix(package["strip"])
                target.parent.mkdir(parents=True, exist_ok=True)
                with tar.extractfile(f"package/{name}") as member:  # type: ignore[union-attr]
                    target.write_bytes(member.read())


if __name__ == "__main__":
    print("Fetched assets/vendor." if ensure() else "assets/vendor is up to date.")
