"""Environments that hold a wheel and what it declares, and nothing else, made with no network."""

import importlib.metadata
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
OFFLINE = ["--no-index", "--no-deps"]


def build(*projects: Path, into: Path) -> None:
    """Build the wheels of projects with the setuptools that is installed here."""
    words = ["wheel", *OFFLINE, "--no-build-isolation", "-w", into, *projects]
    subprocess.run([*PIP, *words], check=True)


def install(folder: Path, wheel: Path, extra: str = "") -> Path:
    """Make an environment of a wheel and of what it asks for with this extra; its bin folder.

    The wheel is installed; what it needs is linked from where these tests run.
    """
    venv.create(folder, symlinks=True)
    script = folder / "bin"
    pip(script, wheel.resolve())
    (site,) = folder.glob("lib/python*/site-packages")
    (metadata,) = importlib.metadata.distributions(path=[str(site)])
    for name in needs(metadata.requires or [], extra):
        link(name, site)
    return script


def jupyter(folder: Path, *names: str) -> Path:
    """Make an environment of pip, Jupyter and these packages, nothing of ours; its bin folder."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    for name in needs(["pip", "ipykernel", "nbclient", *names]):
        link(name, site)
    return folder / "bin"


def install_editable(script: Path, project: Path) -> None:
    """Install a project and what it asks for into an environment as `pip install -e` does."""
    (site,) = script.parent.glob("lib/python*/site-packages")
    said = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    for name in ["setuptools", *needs(said["project"]["dependencies"])]:
        link(name, site)
    pip(script, "--no-build-isolation", "-e", project)


def pip(script: Path, *words: str | Path) -> None:
    """Run `pip install` in an environment, which has no pip of its own."""
    subprocess.run([*PIP, "--python", script / "python", "install", *OFFLINE, *words], check=True)


def call(script: Path, name: str, *words: object) -> str:
    """Call a command of an environment, far from the checkout and its path; what it printed."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [script / name, *map(str, words)]
    done = subprocess.run(command, cwd=script.parent, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(script: Path, code: str, *words: object) -> str:
    """Run code with the Python of an environment; what it printed."""
    return call(script, "python", "-I", "-B", "-c", code, *words)


def needs(lines: Sequence[str], extra: str = "") -> set[str]:
    """Name all that these requirements ask for, and what that asks for in turn."""
    found: set[str] = set()
    todo = [(Requirement(line), extra) for line in lines]
    while todo:
        need, asked = todo.pop()
        if need.marker and not need.marker.evaluate({"extra": asked}):
            continue
        here = importlib.metadata.distribution(need.name)
        assert need.specifier.contains(here.version), f"{need}, but here is {here.version}"
        if need.name not in found:
            found.add(need.name)
            deeper = [Requirement(line) for line in here.requires or []]
            todo += [(each, extra) for each in deeper for extra in ("", *need.extras)]
    return found


def link(name: str, site: Path) -> None:
    """Link the packages and the metadata of a distribution into an environment."""
    here = importlib.metadata.distribution(name)
    for top in {file.parts[0] for file in here.files or []} - {"..", "__pycache__"}:
        if not (site / top).exists():  # two distributions may share a folder
            (site / top).symlink_to(Path(str(here.locate_file(top))).resolve())
