"""Documents split for training, validation and test, and how much of one stands in another."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from transformer_lib.formulas import checks as range_checks
from transformer_lib.text import checks
from transformer_lib.text.min_hash import near_duplicates, shingles

LEAKED = 13  # words in a row that GPT-3's authors counted as one text standing in another


class Split(NamedTuple):
    """The documents to train on, to choose by, and to test on once."""

    train: list[str]
    validation: list[str]
    test: list[str]


def split(documents: Sequence[str], *, held_out: float = 0.05, together: bool = True) -> Split:
    """Split documents by chance, near-duplicates all on one side.

    The chance lies in the hash of a text, so that the split is the same at every call, and a new
    document changes no other's place unless it is like it.

    Args:
        documents: the texts.
        held_out: the share of the documents for validation, and as many for the test.
        together: False lets near-duplicates fall on both sides, to measure what that does.

    Raises:
        ValueError: documents are no list of strings, held_out is not between 0 and 0.5, or a part
            gets no document.

    Source: Brown et al. (2020), appendix C, on how test texts leak into those for training.
    """
    range_checks.positive(held_out=held_out)
    if held_out >= 0.5:
        raise ValueError(f"held_out must be below 0.5, got {held_out}")
    texts = list(checks.texts(documents=documents))
    groups = near_duplicates(texts) if together else [[place] for place in range(len(texts))]
    parts = Split([], [], [])
    for group in groups:
        chance = _chance(texts[group[0]])
        part = parts.validation if chance < held_out else parts.train
        part = parts.test if chance >= 1 - held_out else part
        part += [texts[place] for place in group]
    if not all(parts):
        sizes = ", ".join(f"{len(part)}" for part in parts)
        raise ValueError(
            f"documents must be enough for three parts, but {len(texts)} give {sizes}: take more "
            "or shorter documents, or raise held_out"
        )
    return parts


def leak(train: Iterable[str], held_out: Iterable[str], *, words: int = LEAKED) -> float:
    """Return the share of a held-out text's phrases that stand in the text for training too.

    Args:
        train: documents.
        held_out: documents.
        words: of a phrase.

    Raises:
        ValueError: words is not an integer of 1 or more, or no held-out document is that long.

    Source: Brown et al. (2020), appendix C, who look for 13 words in a row.

    >>> leak(["to be or not to be"], ["or not to be or to go"], words=3)
    0.6
    """
    range_checks.count(1, words=words)
    known = {phrase for text in train for phrase in _phrases(text, words)}
    found = [phrase in known for text in held_out for phrase in _phrases(text, words)]
    if not found:
        raise ValueError(f"held_out must have a document of {words} words or more")
    return sum(found) / len(found)


def _phrases(text: str, words: int) -> list[str]:
    return shingles(text, words) if len(text.split()) >= words else []


def _chance(text: str) -> float:
    """Return a number from 0 to 1 that nobody chose."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) / 256**7
