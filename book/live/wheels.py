"""The wheels of the page's Python: from a folder or Pyodide's distribution."""

import hashlib
import json
import os
import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PACKAGES = ("numpy", "matplotlib", "pygments")
"""What the cells import that is not pure Python, or large and seldom asked for."""

DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"

Lock = dict[str, Any]


def ensure(into: Path) -> str:
    """Put the wheels beside Pyodide's core; why that could not be done, or nothing.

    Every file has the hash that Pyodide's own lock says.

    Raises:
        SystemExit: a file is another than the lock says, or is not in the folder that was named.
    """
    lock = json.loads((into / "pyodide-lock.json").read_text(encoding="utf-8"))
    missing = [
        each for each in needed(lock, PACKAGES) if not is_right(into / each["file_name"], each)
    ]
    folder = named()
    try:
        for each in missing:
            get(each, folder, DISTRIBUTION.format(version=lock["info"]["version"]), into)
    except OSError as error:
        return (
            f"{each['file_name']} could not be fetched when this book was built ({error}). "
            "Build it where there is a network, or with PYODIDE_DIST set to a folder of wheels."
        )
    return ""


def named() -> Path | None:
    """The folder of wheels that PYODIDE_DIST names, if it names one."""
    folder = os.environ.get("PYODIDE_DIST")
    return Path(folder) if folder else None


def needed(lock: Lock, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """The lock's entries of packages and of all that they depend on."""
    found: dict[str, dict[str, Any]] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = lock["packages"][name]
            todo += found[name]["depends"]
    return list(found.values())


def get(entry: dict[str, Any], folder: Path | None, distribution: str, into: Path) -> None:
    """Copy or download one file and prove that it is the one of the lock."""
    name = entry["file_name"]
    part = into / f"{name}.part"
    if folder is None:
        print(f"Fetching {name}", flush=True)
        with urllib.request.urlopen(distribution + name, timeout=60) as answer:
            part.write_bytes(answer.read())
    elif (folder / name).is_file():
        shutil.copyfile(folder / name, part)
    else:
        raise SystemExit(f"{folder} holds no {name}, which Pyodide's lock asks for.")
    if not is_right(part, entry):
        part.unlink()
        raise SystemExit(f"{name} of {folder or distribution} is not the file of Pyodide's lock.")
    part.replace(into / name)


def is_right(path: Path, entry: dict[str, Any]) -> bool:
    """Whether a file is there and has the hash of the lock."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
