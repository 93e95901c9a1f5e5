"""Checks of arguments that only this package needs."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any


def text(**given: Any) -> None:
    """Raise ValueError unless every named value is a string."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} must be a string, got {type(value).__name__}")


def texts(**given: Any) -> Iterable[str]:
    """Return the one named iterable of strings, or raise ValueError if it is a single string."""
    ((name, value),) = given.items()
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(
            f"{name} must be an iterable of strings, got {type(value).__name__}: put one in a list"
        )
    return _each(name, value)


def _each(name: str, values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        text(**{name: value})
        yield value


def learnable(counts: Mapping[str, int]) -> None:
    """Raise ValueError if texts in which something was counted were empty."""
    if not counts:
        raise ValueError(
            "texts must contain some text, but they are empty: there is nothing to learn"
        )


def utf8(text: str) -> bytes:
    """Return the bytes of a text, in which surrogate escapes become the invalid bytes again."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"text must be Unicode text, but it contains half a surrogate pair: {error}"
        ) from None


def ids(size: int, given: Iterable[Any]) -> list[int]:
    """Return ids as integers, or raise ValueError if an id is not from 0 to size - 1."""
    # Entries of numpy and torch arrays of ids are welcome, numbers with a fraction are not.
    found = [operator.index(i) if hasattr(i, "__index__") else i for i in given]
    wrong = [i for i in found if not isinstance(i, int) or not 0 <= i < size]
    if wrong:
        raise ValueError(f"ids must be integers from 0 to {size - 1}, got {wrong[:5]}")
    return found


def special_tokens(given: Iterable[str]) -> tuple[str, ...]:
    """Return the special tokens, or raise ValueError unless they are distinct nonempty strings."""
    found = tuple(texts(special_tokens=given))
    if "" in found or len(set(found)) < len(found):
        raise ValueError(f"special_tokens must be different and not empty, got {found}")
    return found
