"""Every command answers `--help` and says what it does."""

import subprocess
import sys

import pytest

from book.environment import environment
from book.paths import ROOT

SEARCH = ["git", "grep", "--untracked", "-l", '^if __name__ == "__main__":', "*.py", ":!tests"]
FOUND = subprocess.run(SEARCH, cwd=ROOT, capture_output=True, text=True, check=True).stdout
COMMANDS = [
    name.removesuffix(".py").removesuffix("/__main__").replace("/", ".")
    for name in FOUND.splitlines()
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_command_does(command: str) -> None:
    words = [sys.executable, "-m", command, "--help"]
    done = subprocess.run(words, cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.lower().startswith("usage: ")
    assert not done.stdout.partition("\n\n")[2].startswith(("options:", "positional arguments:"))
