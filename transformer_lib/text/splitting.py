"""Split documents for training, validation and test, and measure the overlap of the parts."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from transformer_lib.formulas import checks as range_checks
from transformer_lib.text import checks
from transformer_lib.text.min_hash import near_duplicates, shingles

LEAKED = 13  # words in a row that GPT-3's authors counted as one text standing in another


class Split(NamedTuple):
    """The documents for training, for validation and for a single final test."""

    train: list[str]
    validation: list[str]
    test: list[str]


def split(documents: Sequence[str], *, held_out: float = 0.05, together: bool = True) -> Split:
    """Split documents pseudorandomly, with near-duplicates in the same part.

    The hash of a text determines its part, so the split is the same at every call, and a new
    document changes the part of another document only if the two are near-duplicates.

    Args:
        documents: the texts.
        held_out: the share of the documents for validation, and the same share for the test.
        together: False allows near-duplicates in different parts, to measure the effect.

    Raises:
        ValueError: documents is not a list of strings, held_out is not between 0 and 0.5, or a part
            gets no document.

    Source: Brown et al. (2020), appendix C, on how test texts leak into the training data.
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
    """Return the share of the phrases of held-out texts that also occur in the training texts.

    Args:
        train: the training documents.
        held_out: the held-out documents.
        words: the number of words in a phrase.

    Raises:
        ValueError: words is not a positive integer, or no held-out document has so many words.

    Source: Brown et al. (2020), appendix C, who search for 13 consecutive words.

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
    """Return a number from 0 to 1 that is determined by the hash of the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) / 256**7
