"""Make a release in `dist`: `make release`.

It holds the book in one zip, without the published model; the instructor's edition in another; the
wheels; and a file of checksums. docs/maintaining.md, "A release", says what comes before and after.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import transformer_lib
from book import build, solutions
from book.environment import environment
from book.paths import ROOT, html_folder

DIST = ROOT / "dist"
CHANGES = ROOT / "CHANGELOG.md"
SUMS = "SHA256SUMS"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The day of each file in a zip, so that the same book gives the same bytes."""


def refusals(changes: str, status: str, version: str = transformer_lib.__version__) -> list[str]:
    r"""Why nothing may be released yet: files that changed, or a change log that is open.

    >>> for why in refusals("## Unreleased\n\n- New.\n\n## 0.9, ...\n", " M intro.md\n", "1.0.0"):
    ...     print(why)
    intro.md is not committed
    CHANGELOG.md has changes under Unreleased
    CHANGELOG.md has no head for 1.0.0
    """
    open_changes = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    found = [f"{line[3:]} is not committed" for line in status.splitlines()]
    if open_changes and open_changes[1].strip():
        found.append(f"{CHANGES.name} has changes under Unreleased")
    if not re.search(rf"^## {re.escape(version)}, \d", changes, re.MULTILINE):
        found.append(f"{CHANGES.name} has no head for {version}")
    return found


def pack(folder: Path, file: Path) -> Path:
    """Put a folder into a zip, under the name of the zip and without what only a build reads."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name not in (build.MARK, ".buildinfo"):
                name = f"{file.stem}/{path.relative_to(folder).as_posix()}"
                packed.writestr(
                    zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return file


def build_all() -> None:
    """Build the book without the published model, and the instructor's edition.

    Raises:
        SystemExit: one of them is not right.
    """
    with tempfile.TemporaryDirectory() as empty:
        env = environment() | {"TRANSFORMER_LIB_CACHE": empty}
        for module in (build.__name__, solutions.__name__):
            if subprocess.run([sys.executable, "-m", module], cwd=ROOT, env=env).returncode:
                raise SystemExit(f"Nothing is released: python -m {module} failed.")


def wheels(into: Path) -> None:
    """Build the wheels of the library, the course and the judge from what is committed."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel"]
        places = [
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(into.resolve()),
            ".",
            "./course",
            "./exercises",
        ]
        subprocess.run([*pip, *places], cwd=folder, check=True)


def checksums(folder: Path) -> Iterator[str]:
    """A line for each file of a release, as `sha256sum --check` reads it."""
    for path in sorted(folder.iterdir()):
        if path.name != SUMS:
            yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"


def write(into: Path) -> None:
    """Write all files of a release from what is built."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    version = transformer_lib.__version__
    pack(html_folder(), into / f"the-worked-transformer-{version}.zip")
    edition = solutions.FOLDER / "_build/html"
    pack(edition, into / f"the-worked-transformer-solutions-{version}.zip")
    wheels(into)
    (into / SUMS).write_text("".join(checksums(into)), encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Test, build and write; say why not, or what is there and how large it is."""
    argparse.ArgumentParser(prog="python -m book.release", description=__doc__).parse_args(words)
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    if why := refusals(CHANGES.read_text(encoding="utf-8"), status.stdout):
        print("Nothing is released:", *why, sep="\n  ")
        return 1
    if subprocess.run([sys.executable, "-m", "book.verify", "test"], cwd=ROOT).returncode:
        print("Nothing is released: make test failed.")
        return 1
    build_all()
    write(DIST)
    for path in sorted(DIST.iterdir()):
        print(f"{os.path.relpath(path)}  {path.stat().st_size / 1e6:.1f} MB")
    print(f"Version {transformer_lib.__version__} is in {os.path.relpath(DIST)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
