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
        name = self.program.upper().replace("-", "_")
        return os.environ.get(name) or shutil.which(self.program)


CHROMIUM = Tool("chromium", "chromium", "the tests in a browser")
FIREFOX = Tool("firefox-esr", "firefox-esr", "the tests in Firefox")
WEBKIT = Tool("WebKitWebDriver", "webkit2gtk-driver", "the tests in WebKit")
XVFB = Tool("Xvfb", "xvfb", "the tests in WebKit")
BWRAP = Tool("bwrap", "bubblewrap", "the tests of the judge in its sandbox")
ALL = (CHROMIUM, FIREFOX, WEBKIT, XVFB, BWRAP)


def not_run() -> list[str]:
    """A line for each group of tests that cannot run here, and the command that changes that."""
    missing = [tool for tool in ALL if not tool.path()]
    lines = [f"NOT RUN: {tool.tests}, because there is no {tool.package}." for tool in missing]
    if missing:
        packages = " ".join(tool.package for tool in missing)
        lines.append(f"To run them, install what is missing: sudo apt-get install {packages}")
    return lines


def fingerprint() -> str:
    """Which programs are here, as far as files tell it: where each is, its size and its time."""
    places = [(tool, tool.path()) for tool in ALL]
    stats = [(tool.program, path, path and os.stat(path)) for tool, path in places]
    return " ".join(f"{name} {p} {s and (s.st_size, s.st_mtime_ns)}" for name, p, s in stats)
