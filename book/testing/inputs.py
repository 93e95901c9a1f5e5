"""One hash for many files: what a built page or a part of `make test` depends on."""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

CODE = [
    "transformer_lib/**/*",
    "course/**/*",
    "chapters/**/*.toml",
    "chapters/*.json",
    "chapters/models/*",
    "requirements/*",
]
"""What the outputs of a notebook depend on, beside the notebook."""

PAGES = [
    *CODE,
    *["_config.yml", "_templates/*", "_toc.yml", "*.md", "references.bib", "chapters/**/*"],
    *["assets/**/*", "exercises/release/**/*", "book/**/*"],
]
"""What the pages depend on."""

SETTINGS = ["pyproject.toml", "exercises/pyproject.toml", "requirements/*"]
"""What decides how tests run, and with which packages."""

FOLDERS = ["assets", "benchmarks", "book", "chapters", "course", "docker", "docs", "exercises"]
FOLDERS += ["requirements", "runs", "tests", "transformer_lib", "_templates", ".github", ".ci"]
"""All folders of the repository."""

EVERYTHING = ["*", *(f"{folder}/**/*" for folder in FOLDERS)]
"""What a test that looks at the repository itself may read."""

CODED = ["benchmarks", "book", "chapters", "course", "docker", "exercises", "tests"]
PYTHON = [*SETTINGS, *(f"{folder}/**/*.py" for folder in [*CODED, "transformer_lib"])]
"""What types and imports are read from."""

SCRIPTS = [*SETTINGS, "assets/**/*", "book/**/*", "tests/javascript/*", "transformer_lib/plot/*"]
NUMERIC = [*CODE, *SETTINGS, "chapters/**/*", "book/**/*", "tests/**/*"]
NOTEBOOKS = [*CODE, *SETTINGS, "chapters/**/*"]
JUDGE = [*CODE, *SETTINGS, "exercises/**/*", "tests/**/*", "chapters/**/*", "book/**/*"]

NOT_SOURCES = {"__pycache__", ".ipynb_checkpoints", ".ruff_cache", ".hypothesis"}


def digest(root: Path, patterns: list[str]) -> str:
    """A hash of the names and contents of files, and of the version of Python."""
    total = hashlib.sha256(sys.version.encode())
    for path in files(root, patterns):
        total.update(path.relative_to(root).as_posix().encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files(root: Path, patterns: list[str]) -> Iterator[Path]:
    """The files that match any pattern, each once, in order."""
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        if path.is_file() and not NOT_SOURCES & set(path.relative_to(root).parts):
            yield path
