"""The corpus of the chapters on text as a file for their pages, because no browser has torch."""

import importlib.metadata
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from transformer_lib.text import docstrings
from transformer_lib.text.corpus import KNOWN, versions
from transformer_lib.text.package_docstrings import PACKAGES

NAME = "corpus/docstrings.zip"
LICENSES = "licenses.txt"
"""What the packages say of their licenses: in the file, and next to it for readers."""


def ensure(vendor: Path) -> None:
    """Write the corpus, unless that of the installed packages is there: it takes seconds."""
    file, key = vendor / NAME, f"{KNOWN} {versions()}".encode()
    if file.exists():
        with zipfile.ZipFile(file) as archive:
            if archive.comment == key:
                return
    file.parent.mkdir(parents=True, exist_ok=True)
    terms = "\n".join(text for package in PACKAGES for text in licenses(package))
    file.with_name(LICENSES).write_text(terms, encoding="utf-8")
    held = {f"{package}.json": json.dumps(docstrings([package])) for package in PACKAGES}
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in (held | {LICENSES: terms}).items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED, 9)
        archive.comment = key


def licenses(package: str) -> Iterator[str]:
    """The license files of a package; those of third parties are of code that is not Python."""
    distribution = importlib.metadata.distribution(package)
    for file in distribution.files or []:
        if "licenses" in file.parts and "third_party" not in file.parts:
            text = file.locate().read_text(encoding="utf-8")  # type: ignore[attr-defined]
            yield f"==== {package} {distribution.version}: {file.name}\n\n{text}"
