"""The corpus of the book, or any file or folder used instead, split and described."""

import hashlib
import importlib.metadata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from transformer_lib.text.package_docstrings import PACKAGES, docstrings
from transformer_lib.text.splitting import Split, leak, split

END = "<|endoftext|>"
"""The special token between two documents, under the name that GPT-2 gave it."""

PARAGRAPHS = 1000  # characters a document has at least where a single file is cut
BLOCK = 1 << 20  # characters of a file that are read at once
KNOWN = "cd2bae961ad882e6"
"""The digest that the chapters quote, of the corpus with the pinned versions of its packages."""


@dataclass(frozen=True)
class Corpus:
    """Documents, split for training, validation and test.

    Args:
        name: the source of the documents.
        documents: the texts, in a fixed order.

    Raises:
        ValueError: for the same reasons as `split`.
    """

    name: str
    documents: Sequence[str]

    @cached_property
    def parts(self) -> Split:
        """The documents for training, for validation and for the test."""
        return split(self.documents)

    @cached_property
    def digest(self) -> str:
        """Sixteen characters that identify this text."""
        return hashlib.sha256("\0".join(self.documents).encode()).hexdigest()[:16]

    def about(self) -> dict[str, str | int | float]:
        """Return the size, the digest and the share of test phrases found in the training text."""
        return {
            "name": self.name,
            "documents": len(self.documents),
            "bytes": sum(len(text.encode()) for text in self.documents),
            "words": sum(len(text.split()) for text in self.documents),
            "digest": self.digest,
            **{part: len(texts) for part, texts in self.parts._asdict().items()},
            "leak": round(leak(self.parts.train, self.parts.test), 4),
        }


def load_corpus(path: str | Path | None = None) -> Corpus:
    """Return the corpus of the book or the corpus of a file or folder.

    The corpus of the book consists of the docstrings of the installed numpy and torch, or of numpy
    only if torch is missing. A warning is given if it is not the text that the chapters quote.

    Args:
        path: a text file, which is cut into documents at blank lines, or a folder, in which each
            file is one document; None for the book's corpus.

    Raises:
        FileNotFoundError: the file or folder does not exist.
        ValueError: a file is not text in UTF-8, or it contains no text.
    """
    if path is not None:
        documents = list(_documents(Path(path)))
        if not documents:
            raise ValueError(f"{path} must contain some text, but it is blank: give another one")
        return Corpus(str(path), documents)
    corpus = Corpus("docstrings of numpy and torch", docstrings())
    if corpus.digest != KNOWN:
        warnings.warn(
            f"the corpus is not the one that the chapters quote, {KNOWN}, but {corpus.digest}, of "
            f"{versions()}: figures will differ a little, and what they are to show should not",
            stacklevel=2,
        )
    return corpus


def versions() -> str:
    """Return the versions of the packages whose docstrings are the corpus."""
    return ", ".join(f"{name} {_version(name)}" for name in PACKAGES)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def read_blocks(path: str | Path) -> Iterator[str]:
    """Yield the text of a file or of all files in a folder, one block at a time.

    Args:
        path: a file or a folder; `<|endoftext|>` is yielded between two files.

    Raises:
        FileNotFoundError: the file or folder does not exist.
        ValueError: a file is not text in UTF-8, or no file contains text.
    """
    empty = True
    for number, file in enumerate(_files(Path(path))):
        if number:
            yield END
        for block in _blocks(file):
            empty = False
            yield block
    if empty:
        raise ValueError(
            f"{path} must contain some text, but it is empty: give another file or folder"
        )


def _documents(path: Path) -> Iterable[str]:
    text = "".join(read_blocks(path))
    return [part for part in text.split(END) if part.strip()] if path.is_dir() else _cut(text)


def _cut(text: str) -> Iterator[str]:
    """Cut a text at blank lines, or where it says that a document ends."""
    for part in text.split(END):
        gathered = ""
        for paragraph in part.split("\n\n"):
            gathered = f"{gathered}\n\n{paragraph}" if gathered else paragraph
            if len(gathered) >= PARAGRAPHS:
                yield gathered
                gathered = ""
        if gathered.strip():
            yield gathered


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder {path}")
    found = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return [file for file in found if not file.name.startswith(".")]


def _blocks(file: Path) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            while block := opened.read(BLOCK):
                if "\0" in block:
                    raise ValueError(f"{file} is not text: it contains zero bytes. Remove it")
                yield block
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file} is not text in UTF-8, see its byte {error.start}: convert it or remove it"
        ) from None
