"""What `make portable` runs: notebooks and folders of tests, and which of them have passed."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from book import toc
from book.paths import ROOT
from book.testing import inputs, processors
from book.testing.processors import NATIVE, Setting
from course.published import fetch

NOT_NUMERIC = {
    *("book", "browser", "exercises", "grader"),
    *("test_architecture.py", "test_docker.py", "test_encoding.py"),
    *("test_import.py", "test_install.py", "test_types.py"),
    "test_oldest_numpy.py",  # which runs others once more
}
"""What lies in tests/ and computes nothing with the library."""

PUBLISHED = ("19_published_model.ipynb", "looking_inside.ipynb", "own_experiment.ipynb")


class Part(NamedTuple):
    """One notebook, or one folder or file of tests, under one setting."""

    setting: Setting
    target: str

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on.

        A test that reads the text of a chapter is no other on another processor, so the chapters'
        notebooks count where they run and not for the tests.
        """
        own = [self.target] if self.target.endswith(".ipynb") else numeric_files()
        files = inputs.digest(ROOT, [*inputs.CODE, "pyproject.toml", *own])
        return hashlib.sha256(
            f"{files} {self.setting} {processors.fingerprint()}".encode()
        ).hexdigest()

    @property
    def record(self) -> Path:
        """The file that says with which key the part passed."""
        name = f"{self.setting.name} {self.target}".replace("/", ".").replace(" ", "-")
        return ROOT / "_build" / "portable" / name

    def has_passed(self) -> bool:
        """Whether it passed with these very inputs."""
        return self.record.exists() and self.record.read_text(encoding="utf-8") == self.key

    def remember(self, key: str) -> None:
        """Record that it passed with the inputs of this key, taken before it ran."""
        self.record.parent.mkdir(parents=True, exist_ok=True)
        self.record.write_text(key, encoding="utf-8")


def notebooks() -> list[str]:
    """The chapters, largest first, so that no long one is left for the end.

    Those of the published model are among them where the file of the model is.
    """
    paths = sorted(toc.notebooks(), key=lambda path: -path.stat().st_size)
    run = [path for path in paths if path.name not in PUBLISHED or fetch.is_there()]
    return [path.relative_to(ROOT).as_posix() for path in run]


def numeric_folders() -> list[Path]:
    """The folders of tests that compute with the library."""
    folders = {path.parent for path in ROOT.glob("tests/*/test_*.py")}
    return sorted(folder for folder in folders if folder.name not in NOT_NUMERIC)


def numeric_tests() -> list[str]:
    """Each folder of numeric tests, and each file of tests beside the folders."""
    files = [path for path in ROOT.glob("tests/test_*.py") if path.name not in NOT_NUMERIC]
    paths = [*numeric_folders(), *sorted(files)]
    return [path.relative_to(ROOT).as_posix() for path in paths]


def other_tests() -> list[str]:
    """The files beside the folders that compute nothing."""
    paths = sorted((ROOT / "tests" / name for name in NOT_NUMERIC), key=lambda path: path.name)
    return [path.relative_to(ROOT).as_posix() for path in paths if path.suffix]


def numeric_files() -> list[str]:
    """Patterns of all files of the numeric tests: their folders share what they draw on."""
    folders = [path.relative_to(ROOT).as_posix() for path in numeric_folders()]
    return ["tests/*.py", *(f"{folder}/**/*" for folder in folders)]


def native(target: str) -> Part:
    """A part as `make test` runs it: as this machine would."""
    return Part(NATIVE, target)
