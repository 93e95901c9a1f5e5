"""Give the version a number everywhere it stands: `python -m book.release 0.2.0`.

Before it does so, pip says whether the names of our distributions are free in the package index.
`python -m book.release --notes 0.2.0` changes nothing: it prints what CHANGELOG.md says of a
version that every file names, for the release's page. Both need Python with pip and nothing else.
"""

import argparse
import datetime
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from book.paths import ROOT

PLACES = {
    "transformer_lib/__init__.py": r'^__version__ = "(.*)"$',
    "exercises/pyproject.toml": r'^version = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
}
"""Where the version stands; pyproject.toml reads the first."""

PROJECTS = ("pyproject.toml", "exercises/pyproject.toml")
DATE = r"^date-released: (.*)$"
UNRELEASED = "## Unreleased\n"
HEADING = re.compile(r"^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)\n", re.MULTILINE)


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version that each file names, and the newest of CHANGELOG.md."""
    found = {name: _value(root / name, pattern) for name, pattern in PLACES.items()}
    heading = HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return found | {"CHANGELOG.md": heading[1] if heading else "none"}


def release(version: str, today: str, root: Path = ROOT) -> None:
    """Write the version and the date, and make what is unreleased its section.

    Raises:
        ValueError: the version is no three numbers or no newer one, or nothing is unreleased.
    """
    old = _value(root / "CITATION.cff", PLACES["CITATION.cff"])
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"version was {version!r} and must be three numbers, such as 1.2.3")
    if _numbers(version) <= _numbers(old):
        raise ValueError(f"version was {version} and must be newer than {old}")
    path = root / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8")
    if not section(text, UNRELEASED):
        raise ValueError("CHANGELOG.md must say under Unreleased what is new")
    heading = f"{UNRELEASED}\n## {version}, {today}\n"
    path.write_text(text.replace(UNRELEASED, heading, 1), encoding="utf-8", newline="\n")
    for name, pattern in PLACES.items():
        _replace(root / name, pattern, version)
    _replace(root / "CITATION.cff", DATE, today)


def notes(version: str, root: Path = ROOT) -> str:
    """What CHANGELOG.md says of a version.

    Raises:
        ValueError: a file names another version.
    """
    other = {name: found for name, found in versions(root).items() if found != version}
    if other:
        raise ValueError(f"version was {version} and must be that of {other}")
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = HEADING.search(text)
    assert heading is not None
    return section(text, heading[0])


def about_names() -> str:
    """Say whether the names of our distributions are free in the package index that pip asks.

    Raises:
        ValueError: the index holds a package of one of these names.
    """
    texts = [(ROOT / path).read_text(encoding="utf-8") for path in PROJECTS]
    names = [tomllib.loads(text)["project"]["name"] for text in texts]
    for name in names:
        if _is_in_the_index(name):
            raise ValueError(
                f"The package index holds a package {name}, so the name must be changed in "
                "pyproject.toml; or say --ours, if it is the package that we published."
            )
    listed = ", ".join(names)
    if not _is_in_the_index("numpy"):  # pip tells no index without a name from one out of reach
        return f"pip found no package index, so nothing tells whether {listed} are free there."
    return f"These names are free in the package index: {listed}."


def _is_in_the_index(name: str) -> bool:
    words = ["-m", "pip", "--disable-pip-version-check", "index", "versions", "--pre", name]
    return subprocess.run([sys.executable, *words], capture_output=True).returncode == 0


def section(text: str, heading: str) -> str:
    """What stands between a heading and the next of its rank."""
    return text.split(heading, 1)[1].split("\n## ", 1)[0].removeprefix("## ").strip()


def _value(path: Path, pattern: str) -> str:
    found: list[str] = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        raise ValueError(f"{path.name} must have one line {pattern}, and has {len(found)}")
    return found[0]


def _replace(path: Path, pattern: str, value: str) -> None:
    line = pattern.strip("^$").replace("(.*)", value)
    text = path.read_text(encoding="utf-8")
    new = re.sub(pattern, lambda _: line, text, flags=re.MULTILINE)
    path.write_text(new, encoding="utf-8", newline="\n")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def main(words: Sequence[str] | None = None) -> int:
    """Set the version, or print the notes of one."""
    reader = argparse.ArgumentParser(prog="python -m book.release", description=__doc__)
    reader.add_argument("version", help="three numbers, such as 1.2.3")
    reader.add_argument("--notes", action="store_true", help="print what is new, change nothing")
    reader.add_argument("--ours", action="store_true", help="we published under our names before")
    asked = reader.parse_args(words)
    try:
        if asked.notes:
            print(notes(asked.version))
        else:
            if not asked.ours:
                print(about_names())
            release(asked.version, datetime.date.today().isoformat())
            print(f"The version is {asked.version} now. Look at: git diff")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
