"""Real text as the data of a run: a corpus, its tokenizer, and the windows of its three parts."""

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from transformer_lib.formulas import checks
from transformer_lib.model.recurrent import BLOCKS
from transformer_lib.text import (
    BytePairTokenizer,
    Corpus,
    bits_per_byte,
    load_corpus,
    load_tokenizer,
    train_bpe,
)
from transformer_lib.text.corpus import END
from transformer_lib.training.batches import Batch, DrawBatch, Ids, window_draws, windows_in_turn
from transformer_lib.training.loss import token_loss
from transformer_lib.training.run_file import Data, made

FILES = ("path", "tokenizer")
PARTS = ("train", "validation", "test")
AT_ONCE = 16  # windows of a batch that is only measured


@dataclass(frozen=True, kw_only=True)
class RealText(Data):
    """A text in three parts, to train a language model on, to validate it and to test it.

    Args:
        length: the number of ids in a window.
        vocabulary: the size of a byte-pair vocabulary that is learned from the training part.
        tokenizer: a file tokenizer.json to use instead.
        path: a file or a folder; None for the corpus of the book.
        every: the model learns only from every `every`-th document, the tokenizer from all.
        look: the number of windows, spread over the validation part, on which the loss is measured
            during training.

    Raises:
        ValueError: a number is out of its range, or not exactly one of `vocabulary` and
            `tokenizer` is given.
    """

    length: int
    vocabulary: int | None = None
    tokenizer: str | None = None
    path: str | None = None
    every: int = 1
    look: int = 32

    def __post_init__(self) -> None:
        checks.count(1, length=self.length, every=self.every, look=self.look)
        if (self.vocabulary is None) == (self.tokenizer is None):
            raise ValueError("either vocabulary or tokenizer must be given, but not both")
        checks.count(257, **checks.given(vocabulary=self.vocabulary))

    @cached_property
    def corpus(self) -> Corpus:
        """The documents, split into three parts."""
        return load_corpus(self.path) if self.path is not None else _corpus_of_the_book()

    @cached_property
    def known_tokenizer(self) -> BytePairTokenizer:
        """The tokenizer, which is learned or read when it is first used."""
        if self.tokenizer is not None:
            found = load_tokenizer(self.tokenizer)
            if END not in found.special_tokens:
                raise ValueError(f"{self.tokenizer} must have the special token {END}")
            return found
        if self.path is None:
            return _tokenizer_of_the_book(self.vocabulary or 0)
        return _learned(self.corpus, self.vocabulary or 0)

    @property
    def kinds(self) -> list[str]:
        """The kinds of models that can be trained on the text."""
        return ["decoder", *BLOCKS]

    @property
    def sizes(self) -> dict[str, int]:
        """The fields of a configuration that follow from the text."""
        return {"vocabulary_size": self.vocabulary_size}

    @property
    def vocabulary_size(self) -> int:
        """The number of rows in the embedding table of a model of this text."""
        return self.vocabulary or len(self.known_tokenizer)

    def documents(self, part: str) -> Sequence[str]:
        """Return the documents of a part, "train", "validation" or "test"."""
        if part not in PARTS:
            raise ValueError(f"part must be one of {PARTS}, got {part!r}")
        found: Sequence[str] = getattr(self.corpus.parts, part)
        return found[:: self.every] if part == "train" else found

    @cached_property
    def _ids(self) -> dict[str, Ids]:
        return {}

    def ids(self, part: str) -> Ids:
        """Return the ids of a part, with an end-of-document token around each document."""
        if part not in self._ids:
            joined = END + END.join(self.documents(part)) + END
            self._ids[part] = np.array(self.known_tokenizer.encode(joined))
        return self._ids[part]

    def draws(self, batch_size: int) -> DrawBatch:
        """Return the function that `train` samples its windows with."""
        return window_draws(self.ids("train"), batch_size=batch_size, length=self.length)

    def windows(self, part: str) -> list[Batch]:
        """Return a part as batches of consecutive windows, each without any earlier context."""
        return windows_in_turn(self.ids(part), batch_size=AT_ONCE, length=self.length)

    def looks(self) -> list[Batch]:
        """Return the windows, evenly spread, on which the validation loss is measured."""
        windows = windows_in_turn(self.ids("validation"), batch_size=1, length=self.length)
        return windows[:: max(1, len(windows) // self.look)][: self.look]

    def bits_per_byte(self, loss: float, part: str) -> float:
        """Return a mean loss per token of a part, in nats, as bits per byte of its documents.

        The end of each document is a token that has to be predicted but represents no byte.
        """
        size = sum(len(document.encode()) for document in self.documents(part))
        return bits_per_byte(loss, tokens=len(self.ids(part)) - 1, size=size)

    def measures(self, model: Any) -> dict[str, float]:
        """Return the loss on the test part, and the bits per byte of test and validation."""
        losses = {part: token_loss(model, self.windows(part)) for part in ("test", "validation")}
        bits = {part: self.bits_per_byte(loss, part) for part, loss in losses.items()}
        found = {"loss": losses["test"], "bits_per_byte": bits["test"]}
        return four_digits(found | {"validation": bits["validation"]})

    @cached_property
    def digest(self) -> str:
        """Sixteen characters that identify the text and its tokenizer."""
        content = f"{self.corpus.digest} {self.known_tokenizer.digest} {self.every}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def read_data(path: str | Path, fields: dict[str, Any]) -> RealText:
    """Return the text of a run file's section [text]; paths are relative to that file's folder.

    Raises:
        ValueError: a field is unknown or out of its range.
    """
    names = {name: fields[name] for name in FILES if isinstance(fields.get(name), str)}
    beside = {name: str(Path(path).parent / file) for name, file in names.items()}
    return made(f"{path}, [text]", RealText, fields | beside)


def four_digits(found: dict[str, float]) -> dict[str, float]:
    """Return numbers with four significant digits, which are the same on every processor."""
    return {name: float(f"{value:.4g}") for name, value in found.items()}


def _learned(corpus: Corpus, vocabulary: int) -> BytePairTokenizer:
    return train_bpe(corpus.parts.train, vocabulary_size=vocabulary, special_tokens=[END])


@functools.cache  # what is installed stays as it is while a program runs
def _corpus_of_the_book() -> Corpus:
    return load_corpus()


@functools.cache
def _tokenizer_of_the_book(vocabulary: int) -> BytePairTokenizer:
    return _learned(_corpus_of_the_book(), vocabulary)
