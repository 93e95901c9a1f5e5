"""Every command, found by search, answers `--help` with help and changes nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from book import inputs
from book.environment import environment
from book.paths import ROOT

IS_COMMAND = 'if __name__ == "__main__":'
NOT_OURS = {"tests", "my", "build", "node_modules"}
KNOWN = {"book.build", "book.portable", "exercises.grader", "transformer_lib.training"}


def sources() -> list[Path]:
    """The folders that may hold a command, without those that are built or hidden."""
    folders = [path for path in ROOT.glob("[!._]*/") if path.name not in NOT_OURS]
    return [path for path in folders if any(path.rglob("*.py"))]


def commands() -> list[str]:
    """The modules that are commands, wherever they lie."""
    files = [path for folder in sources() for path in inputs.files(folder, ["**/*.py"])]
    paths = [
        path.relative_to(ROOT) for path in files if IS_COMMAND in path.read_text(encoding="utf-8")
    ]
    return [".".join(path.with_suffix("").parts).removesuffix(".__main__") for path in paths]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree: a command that does not read its arguments works on this one."""
    root = tmp_path_factory.mktemp("tree")
    leave = shutil.ignore_patterns("__pycache__", "vendor")
    for folder in [*sources(), ROOT / "chapters", ROOT / "assets"]:
        shutil.copytree(folder, root / folder.name, ignore=leave, dirs_exist_ok=True)
    shutil.copy(ROOT / "_toc.yml", root)  # which names the chapters
    return root


def test_the_search_finds_commands() -> None:
    assert set(commands()) >= KNOWN


@pytest.mark.parametrize("command", commands())
def test_help_helps_and_changes_nothing(command: str, tree: Path) -> None:
    before = inputs.digest(tree, ["**/*"])
    done = subprocess.run(
        [sys.executable, "-m", command, "--help"],
        cwd=tree,
        env=environment() | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ") and "--help" in done.stdout
    about = done.stdout.partition("\n\n")[2]
    assert not about.startswith(("options:", "positional arguments:")), "it says not what it does"
    assert inputs.digest(tree, ["**/*"]) == before
