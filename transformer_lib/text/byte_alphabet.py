"""GPT-2's alphabet has a printable character for each of the 256 bytes, so tokens fit in JSON."""

_PRINTABLE = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
_PRINTABLE += range(ord("®"), ord("ÿ") + 1)
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]

BYTES = tuple(_PRINTABLE + _OTHERS)
"""All bytes in GPT-2's order, which is also the order of the ids in its vocabulary."""

_CHARACTER_OF = {b: chr(b) for b in _PRINTABLE} | {b: chr(256 + i) for i, b in enumerate(_OTHERS)}
_BYTE_OF = {character: byte for byte, character in _CHARACTER_OF.items()}


def printable(token: bytes) -> str:
    """Return a token with a printable character for each byte; a space becomes Ġ.

    Args:
        token: any bytes.

    Raises:
        ValueError: token is not bytes.

    Source: Radford et al. (2019), the function bytes_to_unicode in their published code.

    >>> printable(b" the"), printable("é".encode())
    ('Ġthe', 'Ã©')
    """
    if not isinstance(token, bytes):
        raise ValueError(f"token must be bytes, got {token!r}")
    return "".join(_CHARACTER_OF[byte] for byte in token)


def from_printable(characters: str) -> bytes:
    """Return the bytes that `printable` represents by these characters.

    Args:
        characters: characters of the alphabet only.

    Raises:
        ValueError: a character is not in the alphabet.

    Source: Radford et al. (2019), as for `printable`.

    >>> from_printable("Ġthe")
    b' the'
    """
    if not isinstance(characters, str):
        raise ValueError(f"characters must be a string, got {characters!r}")
    unknown = sorted(set(characters) - _BYTE_OF.keys())
    if unknown:
        raise ValueError(f"characters must be of GPT-2's alphabet of bytes, but {unknown} are not")
    return bytes(_BYTE_OF[character] for character in characters)
