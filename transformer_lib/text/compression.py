"""Bits per byte: how well a model and compression programs compress a text."""

import bz2
import gzip
import math
from collections.abc import Callable

from transformer_lib.formulas import checks as range_checks


def _xz(data: bytes) -> bytes:
    """Compress with xz; a Python that runs in a browser has none, and needs it only here."""
    import lzma

    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
    "bzip2": lambda data: bz2.compress(data, 9),
    "xz": _xz,
}
"""The compressors of Python, each at its highest level."""


def bits_per_byte(loss: float, *, tokens: int, size: int) -> float:
    """Return the loss on a text in bits per byte, which is comparable between tokenizers.

    The result is tokens / size * loss / ln 2, the bits of all tokens over the bytes of the text.

    Args:
        loss: the mean loss over the tokens, in nats.
        tokens: the number of tokens that were predicted.
        size: the number of bytes of the text in UTF-8.

    Raises:
        ValueError: loss is negative or not a number, or a count is not a positive integer.

    Source: Shannon (1948), section 7; Gao et al. (2020), "The Pile", section 3.1, for text.

    >>> bits_per_byte(math.log(16), tokens=3, size=8)
    1.5
    """
    range_checks.count(1, tokens=tokens, size=size)
    if isinstance(loss, bool) or not isinstance(loss, int | float) or not loss >= 0:
        raise ValueError(f"loss must be a number of 0 or more, got {loss!r}")
    return tokens / size * (loss / math.log(2))


def compressed_bits(data: bytes, *, known: bytes = b"") -> dict[str, float]:
    """Return how many bits per byte gzip, bzip2 and xz need for a text.

    Args:
        data: the text.
        known: a text before the data that is not counted, such as the training text.

    Raises:
        ValueError: data is empty, or an argument is not bytes.

    >>> compressed_bits(b"ab" * 4000)["gzip"] < 0.1
    True
    """
    for name, given in {"data": data, "known": known}.items():
        if not isinstance(given, bytes):
            raise ValueError(f"{name} must be bytes, got {type(given).__name__}")
    if not data:
        raise ValueError("data must contain at least one byte, got none")
    return {
        name: 8 * (len(compress(known + data)) - (len(compress(known)) if known else 0)) / len(data)
        for name, compress in COMPRESSORS.items()
    }
