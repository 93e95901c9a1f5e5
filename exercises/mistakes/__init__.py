"""Classic mistakes, split by topic: wrong functions that students write and no library may hold.

A mistake is a function FORMULA__MISTAKE whose docstring says in a sentence what went wrong. It is
written as a student would write it, with numpy (or torch) and no library of ours, so that its text
can stand in a notebook. The mutants of an assignment draw from here, and the tests of the library
see that each formula does better.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any


def mistakes_of(topic: ModuleType, formula: str) -> dict[str, Callable[..., Any]]:
    """Return the mistakes that a topic lists for a formula, by name."""
    start = f"{formula}__"
    found = {name: value for name, value in vars(topic).items() if name.startswith(start)}
    return {name.removeprefix(start): value for name, value in found.items()}


def picked(given: dict[str, Any], places: str) -> dict[str, str]:
    """Return an answer to a slip: "ab" picks the first choice, then the second of the next list.

    Args:
        given: the names of a notebook.
        places: a letter for each question, by the order in which the source lists the choices.
    """
    dealt = zip(given["slip_letters"].items(), places, strict=True)
    return {question: letters["abcdefgh".index(place)] for (question, letters), place in dealt}
