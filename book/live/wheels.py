"""The wheels of the page's Python: from a folder, the package index or Pyodide's distribution."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from book.paths import ROOT

PACKAGES = ("numpy", "matplotlib", "pygments")
"""What the cells import that is not pure Python, or large and seldom asked for."""

FOLDER = "../shared/pyodide/wheels"
"""Where the wheels may lie beside this repository; PYODIDE_DIST names another folder."""

DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"

INDEX = {
    "cycler": "85cef7cff222d8644161529808465972e51340599459b8ac3ccbac5a854e0d30",
    "fonttools": "15c94eeef6b095831067f72c825eb0e2d48bb4cea0647c1b05c981ecba2bf39f",
    "matplotlib-pyodide": "e0f8c342a038316c89fe8e7a2bcbf4ef11b08344d72cd18ded38a1cddd41c8a6",
    "packaging": "09abb1bccd265c01f4a3aa3f7a7db064b36514d2cba19a2f694fe6150451a759",
    "pygments": "b27c2826c47d0f3219f29554824c30c5e8945175d888647acd804ddd04af846c",
    "pyparsing": "f9db75911801ed778fe61bb643079ff86601aca99fcae6345aa67292038fb742",
    "python-dateutil": "a8b2bc7bffae282281c8140a97d3aa9c14da0b136dfe83f850eea9a5f7470427",
    "pytz": "328171f4e3623139da4983451950b28e95ac706e13f3f2630a879749e7a8b319",
    "six": "8abb2f1d86890a2dfb989f9a77cfcfd3e47c2a354b01111771326f8aa26e0254",
}
"""Packages of pure Python, which the package index has, and the hashes of their wheels there."""

DOWNLOAD = ["download", "--no-deps", "--require-hashes", "--only-binary=:all:"]
FOR = ["--platform=any", "--python-version=3.12"]

Lock = dict[str, Any]


def ensure(into: Path, root: Path = ROOT) -> str:
    """Put the wheels beside Pyodide's core; why that could not be done, or nothing.

    Every file has the hash that Pyodide's own lock says, or that of `INDEX`, which the served lock
    then says in its place.

    Raises:
        SystemExit: a file is another than the lock says, or is not in the folder that was named.
    """
    lock = json.loads((into / "pyodide-lock.json").read_text(encoding="utf-8"))
    missing = [
        each for each in needed(lock, PACKAGES) if not is_right(into / each["file_name"], each)
    ]
    folder = folder_of(root)
    if folder is None and missing:
        missing = from_index(missing, into)
        (into / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    try:
        for each in missing:
            get(each, folder, DISTRIBUTION.format(version=lock["info"]["version"]), into)
    except OSError as error:
        return (
            f"{each['file_name']} could not be fetched when this book was built ({error}). "
            "Build it where there is a network, or with PYODIDE_DIST set to a folder of wheels."
        )
    return ""


def from_index(missing: list[dict[str, Any]], into: Path) -> list[dict[str, Any]]:
    """Download what the package index has, and put its hash into the lock's entries; the rest."""
    pure = {each["file_name"]: each for each in missing if each["name"].lower() in INDEX}
    pins = [
        f"{each['name']}=={each['version']} --hash=sha256:{INDEX[each['name'].lower()]}"
        for each in pure.values()
    ]
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "wanted.txt")
        wanted.write_text("\n".join(pins), encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *DOWNLOAD]
        subprocess.run([*pip, *FOR, "--dest", folder, "--requirement", str(wanted)], check=False)
        for wheel in Path(folder).glob("*.whl"):
            shutil.move(wheel, into / wheel.name)
            pure[wheel.name]["sha256"] = INDEX[pure[wheel.name]["name"].lower()]
    return [each for each in missing if not is_right(into / each["file_name"], each)]


def folder_of(root: Path) -> Path | None:
    """The folder of wheels: the one that PYODIDE_DIST names, or that beside the repository."""
    named = os.environ.get("PYODIDE_DIST")
    if named:
        return Path(named)
    beside = root / FOLDER
    return beside if beside.is_dir() else None


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
