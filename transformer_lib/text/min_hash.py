"""Find documents that are nearly the same by their MinHash signatures."""

import zlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from jaxtyping import UInt64

from transformer_lib.text import checks

WORDS = 5  # of a shingle
HASHES = 128
ROWS = 4  # of a band: documents that agree in one whole band are compared
ALIKE = 0.5  # the share of shingles, of all that two have, from which on they are nearly the same


def near_duplicates(documents: Sequence[str]) -> list[list[int]]:
    """Group the documents that share at least half of their five-word phrases.

    For two documents, the share is the number of phrases in both divided by the number of phrases
    in either, estimated from 128 hashes. Groups are joined by chains, so the first and the last
    document of a group may differ more.

    Args:
        documents: the texts.

    Raises:
        ValueError: documents is a single string or contains anything other than strings.

    Source: Broder (1997), "On the resemblance and containment of documents"; Leskovec, Rajaraman,
    Ullman (2020), "Mining of Massive Datasets", section 3.4, for the bands.

    >>> near_duplicates(["a b c d e f g h", "x y z", "a b c d e f g i"])
    [[0, 2], [1]]
    """
    texts = list(checks.texts(documents=documents))
    signatures = np.array([_signature(text) for text in texts]).reshape(-1, HASHES)
    leaders = [*range(len(texts))]
    for band in range(0, HASHES, ROWS):
        buckets: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, row in enumerate(signatures[:, band : band + ROWS]):
            buckets[row.tobytes()].append(place)
        for first, *others in buckets.values():
            for other in others:
                if np.mean(signatures[first] == signatures[other]) >= ALIKE:
                    _join(leaders, first, other)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(texts)):
        groups[_leader(leaders, place)].append(place)
    return list(groups.values())


def shingles(text: str, words: int = WORDS) -> list[str]:
    """Return all runs of `words` consecutive words of a text; a shorter text is one run.

    >>> shingles("to be or not", 3)
    ['to be or', 'be or not']
    """
    found = text.split()
    count = max(1, len(found) - words + 1)
    return [" ".join(found[i : i + words]) for i in range(count)]


def _signature(text: str) -> UInt64[np.ndarray, " hashes"]:
    """Return the least of each hash over all shingles of a text.

    The upper half of factor * x + offset modulo 2**64: Dietzfelbinger (1996), "Universal hashing
    and k-wise independent random variables via integer arithmetic without primes".
    """
    hashed = np.array([zlib.crc32(part.encode()) for part in set(shingles(text))], np.uint64)
    factors, offsets = np.random.PCG64(0).random_raw(2 * HASHES).reshape(2, HASHES, 1)
    least: UInt64[np.ndarray, " hashes"] = (factors * hashed + offsets >> 32).min(axis=1)
    return least


def _leader(leaders: list[int], place: int) -> int:
    while leaders[place] != place:
        leaders[place] = place = leaders[leaders[place]]
    return place


def _join(leaders: list[int], one: int, other: int) -> None:
    first, second = sorted((_leader(leaders, one), _leader(leaders, other)))
    leaders[second] = first
