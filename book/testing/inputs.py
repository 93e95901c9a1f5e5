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

PRODUCT = ["assets", "benchmarks", "book", "chapters", "course", "docker", "docs", "exercises"]
PRODUCT += ["requirements", "runs", "transformer_lib", "_templates", ".github", ".ci"]
"""All folders of the repository but the tests."""

EVERYTHING = ["*", *(f"{folder}/**/*" for folder in [*PRODUCT, "tests"])]
"""What a test that looks at the repository itself may read."""

NUMERIC = ["*", *(f"{folder}/**/*" for folder in PRODUCT), "tests/*.py"]
"""What tests that compute with the library read, beside their own folders."""

CODED = ["benchmarks", "book", "chapters", "course", "docker", "exercises", "transformer_lib"]
PYTHON = [*SETTINGS, *(f"{folder}/**/*.py" for folder in CODED)]
"""What types and imports are read from."""

SCRIPTS = [*SETTINGS, "assets/**/*", "book/**/*", "tests/javascript/*", "transformer_lib/plot/*"]
"""What the tests of our scripts read."""

NOTEBOOKS = [
    *CODE,
    *SETTINGS,
    "chapters/**/*",
    "assets/*",
    "assets/flow/*",
    "book/**/*",
    "_toc.yml",
]
"""What the notebooks read while they run and are compared."""

JUDGE = [*CODE, *SETTINGS, "assets/*", "book/**/*", "chapters/**/*", "exercises/**/*", "tests/*.py"]
JUDGE += [f"tests/{folder}/**/*" for folder in ("exercises", "grader", "mistakes")]
"""What the tests of assignments and judge read."""

BROWSER = [*PAGES, *SETTINGS, "benchmarks/*", "exercises/**/*", "tests/*.py", "tests/browser/**/*"]
BROWSER += ["tests/course/published/*", "tests/exercises/*", "tests/grader/*"]
"""What the tests in a browser read, beside the pages."""

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
