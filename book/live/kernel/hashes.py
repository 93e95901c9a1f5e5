"""What the `hashlib` of a page lacks, because it is built without OpenSSL."""

import hashlib
from collections.abc import Callable


def complete() -> None:
    """Give `hashlib` the function by which an exercise knows a right answer on paper."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        hashlib.pbkdf2_hmac = pbkdf2_hmac  # type: ignore[assignment]


def pbkdf2_hmac(
    hash_name: str, password: bytes, salt: bytes, iterations: int, dklen: int | None = None
) -> bytes:
    """Return a key of a password, as the function of the standard library does (RFC 8018, 5.2).

    >>> pbkdf2_hmac("sha256", b"three", b"task", 2).hex()[:16]
    'a1bcaaecb524f097'
    """
    hmac, size = keyed(hash_name, password), hashlib.new(hash_name).digest_size
    length = size if dklen is None else dklen
    found = b""
    while len(found) < length:
        message = hmac(salt + (len(found) // size + 1).to_bytes(4, "big"))
        total = int.from_bytes(message, "big")
        for _ in range(iterations - 1):
            message = hmac(message)
            total ^= int.from_bytes(message, "big")
        found += total.to_bytes(size, "big")
    return found[:length]


def keyed(hash_name: str, key: bytes) -> Callable[[bytes], bytes]:
    """Return the function that takes a message to its hmac.

    An hmac is two hashes, and each begins alike for all messages; so each begins once.
    """
    size = hashlib.new(hash_name).block_size
    whole = key if len(key) <= size else hashlib.new(hash_name, key).digest()
    padded = whole.ljust(size, b"\0")
    inner = hashlib.new(hash_name, bytes(byte ^ 0x36 for byte in padded))
    outer = hashlib.new(hash_name, bytes(byte ^ 0x5C for byte in padded))

    def hmac(message: bytes) -> bytes:
        first, second = inner.copy(), outer.copy()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    return hmac
