"""The corpus of the book, or any file or folder in its place, split and described."""

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
"""The special token between two documents, by the name that GPT-2 gave it."""

PARAGRAPHS = 1000  # characters a document has at least where a single file is cut
BLOCK = 1 << 20  # characters of a file that are read at once
KNOWN = "cd2bae961ad882e6"
"""The digest of the corpus with the pinned versions of its packages, which the chapters quote."""


@dataclass(frozen=True)
class Corpus:
    """Documents, split for training, validation and test.

    Args:
        name: where they are from.
        documents: the texts, in a fixed order.

    Raises:
        ValueError: as `split`.
    """

    name: str
    documents: Sequence[str]

    @cached_property
    def parts(self) -> Split:
        """The documents to train on, to choose by, and to test on."""
        return split(self.documents)

    @cached_property
    def digest(self) -> str:
        """Sixteen characters that tell this text from any other."""
        return hashlib.sha256("\0".join(self.documents).encode()).hexdigest()[:16]

    def about(self) -> dict[str, str | int | float]:
        """Return the size, the digest and how much of the test stands in what is trained on."""
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
    """Return the corpus of the book, or that of a file or a folder.

    The book's is the docstrings of the installed numpy and torch; where torch is missing it is
    those of numpy alone. A warning says so where it is not the text that the chapters quote.

    Args:
        path: a file of text, which is cut at blank lines into documents, or a folder, whose files
            are one document each; None for the book's corpus.

    Raises:
        FileNotFoundError: there is no such file or folder.
        ValueError: a file is not text in UTF-8, or there is no text in it.
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
    """Yield the text of a file or of all files of a folder, a block at a time.

    Args:
        path: a file, or a folder; an `<|endoftext|>` stands between two files.

    Raises:
        FileNotFoundError: there is no such file or folder.
        ValueError: a file is not text in UTF-8, or there is no text in any.
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
