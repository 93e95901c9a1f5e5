"""What chapters on text read in their pages, because no browser has torch: `python -m book.corpus`.

The build writes the corpus. The command keeps the vocabularies of characters and words that
chapter 17 compares, which a page could not learn from the part of the corpus that it has.
"""

import argparse
import importlib.metadata
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from book.paths import ROOT
from transformer_lib.text import docstrings, load_corpus, train_units
from transformer_lib.text.corpus import KNOWN, versions
from transformer_lib.text.package_docstrings import PACKAGES

NAME = "corpus/docstrings.zip"
LICENSES = "licenses.txt"
"""What the packages say of their licenses: in the file, and next to it for readers."""

UNITS = ROOT / "chapters" / "models" / "real_text.units.json"
SIZE = 4097  # tokens at most, as the largest vocabulary of merges in the chapter


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


def learned() -> dict[str, Any]:
    """Return the digest of the corpus, and its characters and words without the unknown one."""
    corpus = load_corpus()
    found = {
        unit: train_units(corpus.parts.train, unit=unit, vocabulary_size=SIZE).vocabulary[1:]
        for unit in ("characters", "words")
    }
    return {"corpus": corpus.digest} | {unit: list(tokens) for unit, tokens in found.items()}


def main(words: Sequence[str] | None = None) -> None:
    """Keep the vocabularies."""
    argparse.ArgumentParser(prog="python -m book.corpus", description=__doc__).parse_args(words)
    told = json.dumps(learned(), ensure_ascii=False)
    UNITS.write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
