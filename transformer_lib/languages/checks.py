"""Checks of arguments that only the languages make."""

from collections.abc import Iterable


def strings(**given: Iterable[str]) -> tuple[str, ...]:
    """Return the one named sequence as a tuple, or raise ValueError unless it holds strings."""
    ((name, words),) = given.items()
    if isinstance(words, str):
        raise ValueError(f"{name} must be a list of strings, got one string {words!r}: split it")
    if not isinstance(words, Iterable):
        raise ValueError(f"{name} must be a list of strings, got {words!r}")
    found = tuple(words)
    wrong = [word for word in found if not isinstance(word, str)]
    if wrong:
        raise ValueError(f"{name} must all be strings, got {wrong}")
    return found
