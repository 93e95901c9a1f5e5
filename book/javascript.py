"""Lint our scripts with ESLint and run their tests in Node.js: `python -m book.javascript`."""

import argparse
import subprocess
import sys
from collections.abc import Sequence

from book import assets, npm
from book.paths import ROOT

FOLDERS = [
    "assets",
    "assets/device",
    "assets/flow",
    "assets/flow/own",
    "assets/present",
    "assets/reading",
    "assets/top",
    "book",
    "book/experiments",
    "book/html",
    "book/live",
    "book/live/static",
    "book/live/static/live",
    "tests/javascript",
    "transformer_lib/plot",
]

MADE = ["assets/reading/items.js"]
"""What a command of ours writes: data, which no reader of code looks at."""


def main(words: Sequence[str] | None = None) -> int:
    """Print each fault and each test that fails; 0 where there is none."""
    argparse.ArgumentParser(prog="python -m book.javascript", description=__doc__).parse_args(words)
    node = npm.node()
    paths = [path for each in FOLDERS for path in sorted((ROOT / each).glob("*.*js"))]
    files = [name for path in paths if (name := path.relative_to(ROOT).as_posix()) not in MADE]
    tests = [file for file in files if file.endswith(".test.mjs")]
    lint = [node, "book/lint.mjs", str(assets.tools()), *files]
    commands = [lint, [node, "--test", "--test-reporter=dot", *tests]]
    return max(subprocess.run(each, cwd=ROOT, check=False).returncode for each in commands)


if __name__ == "__main__":
    sys.exit(main())
