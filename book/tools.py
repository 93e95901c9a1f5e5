"""The programs that some tests need beside Python, and what does not run without them."""

import os
import shutil
from typing import NamedTuple


class Tool(NamedTuple):
    """A program, Debian's package of it, and the tests that need it."""

    program: str
    package: str
    tests: str

    def path(self) -> str | None:
        """Where it is: the variable of its name says so, such as CHROMIUM, else PATH."""
        return os.environ.get(self.program.upper()) or shutil.which(self.program)


CHROMIUM = Tool("chromium", "chromium", "the tests in a browser")
BWRAP = Tool("bwrap", "bubblewrap", "the tests of the judge in its sandbox")


def not_run() -> list[str]:
    """A line for each group of tests that cannot run here, and the command that changes that."""
    missing = [tool for tool in (CHROMIUM, BWRAP) if not tool.path()]
    lines = [f"NOT RUN: {tool.tests}, because there is no {tool.package}." for tool in missing]
    if missing:
        packages = " ".join(tool.package for tool in missing)
        lines.append(f"To run them, install what is missing: sudo apt-get install {packages}")
    return lines
