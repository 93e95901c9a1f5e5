"""Bits per byte, by hand and by the programs that compress."""

import bz2
import lzma
import math
import zlib

import numpy as np
import pytest

from tests.refusals import refusals
from transformer_lib.text import bits_per_byte, compressed_bits

RNG = np.random.default_rng(1)
NOISE = RNG.bytes(20_000)
LETTERS = bytes(RNG.choice(list(b"abcd"), 20_000).tolist())


def test_bits_per_byte_by_hand() -> None:
    # Tokens of 4 bytes that cost ln 16 nats each, 4 bits: 1 bit a byte.
    assert bits_per_byte(math.log(16), tokens=7, size=28) == pytest.approx(1, abs=1e-12)
    assert bits_per_byte(0.0, tokens=7, size=28) == 0


def test_the_programs_come_near_to_what_there_is() -> None:
    assert all(8 <= bits < 8.2 for bits in compressed_bits(NOISE).values())
    # Four letters, each as likely: 2 bits, and no program can do better.
    assert all(2 <= bits < 2.6 for bits in compressed_bits(LETTERS).values())


def test_they_are_the_programs_of_python() -> None:
    found = compressed_bits(LETTERS)
    assert list(found) == ["gzip", "bzip2", "xz"]
    # A gzip file is what zlib makes, 18 bytes around it in the place of 6.
    assert found["gzip"] == 8 * (len(zlib.compress(LETTERS, 9)) + 12) / len(LETTERS)
    assert found["bzip2"] == 8 * len(bz2.compress(LETTERS)) / len(LETTERS)
    assert found["xz"] <= 8 * len(lzma.compress(LETTERS, preset=9)) / len(LETTERS) + 0.1


def test_a_text_that_stood_before_is_not_paid_for() -> None:
    again = compressed_bits(NOISE, known=NOISE)
    assert again["xz"] < 0.2
    assert again["gzip"] < 8.1 and compressed_bits(NOISE, known=b"")["xz"] > 8


test_bad_arguments = refusals(
    ("loss must be a number of 0 or more", lambda: bits_per_byte(-1.0, tokens=1, size=1)),
    ("loss must be a number of 0", lambda: bits_per_byte(float("nan"), tokens=1, size=1)),
    ("tokens must be an integer of 1 or more", lambda: bits_per_byte(1.0, tokens=0, size=1)),
    ("size must be an integer of 1 or more", lambda: bits_per_byte(1.0, tokens=1, size=0)),
    ("data must be bytes, got str", lambda: compressed_bits("text")),
    ("data must contain at least one byte", lambda: compressed_bits(b"")),
)
