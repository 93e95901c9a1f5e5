"""The docstrings of packages, which a page reads from one file of the book, as it has no torch."""

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).parents[3] / "chapters/corpus/docstrings.zip"
PACKAGES = ("numpy", "torch")


def docstrings(packages: Iterable[str] = PACKAGES) -> list[str]:
    """Return the docstrings of packages, each one once, as they were where the book was built.

    Args:
        packages: their names.

    Raises:
        ValueError: the file holds none of the packages.
    """
    asked = tuple(packages)
    with zipfile.ZipFile(FILE) as archive:
        names = [name for each in asked if (name := f"{each}.json") in archive.namelist()]
        if not names:
            raise ValueError(f"packages must be of {PACKAGES}, at least one, but they are {asked}")
        found = [text for name in names for text in json.loads(archive.read(name))]
    return list(dict.fromkeys(found))
