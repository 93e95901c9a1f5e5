"""A page's `hashlib` says what that of the standard library says."""

import hashlib

import pytest

from book.live.kernel import hashes

LONG = b"longer than the block of the hash " * 5


@pytest.mark.parametrize("name", ["sha1", "sha256", "sha512"])
@pytest.mark.parametrize("password", [b"", b"three", LONG])
@pytest.mark.parametrize("length", [None, 1, 32, 100])
def test_a_key_is_that_of_the_standard_library(name, password, length):
    asked = (name, password, b"slip", 3, length)
    assert hashes.pbkdf2_hmac(*asked) == hashlib.pbkdf2_hmac(*asked)


def test_the_page_has_the_function_only_where_it_is_missing(monkeypatch):
    own = hashlib.pbkdf2_hmac
    hashes.complete()
    assert hashlib.pbkdf2_hmac is own
    monkeypatch.delattr(hashlib, "pbkdf2_hmac")
    hashes.complete()
    assert hashlib.pbkdf2_hmac is hashes.pbkdf2_hmac
