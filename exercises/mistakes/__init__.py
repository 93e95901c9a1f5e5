"""Classic mistakes, split by topic: wrong functions that students write and no library may hold.

A mistake is a function FORMULA__MISTAKE whose docstring says in a sentence what went wrong. It is
written as a student would write it, with numpy (or torch) and no library of ours, so that its text
can stand in a notebook. The mutants of an assignment draw from here, and the tests of the library
see that each formula does better.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any


def mistakes_of(topic: ModuleType, formula: str, **parts: str) -> dict[str, Callable[..., Any]]:
    """Return the mistakes that a topic lists for a formula, by name.

    PART="one other" puts before two names the part that they lose
    """
    lost = {name: f"{part}__{name}" for part, names in parts.items() for name in names.split()}
    start = f"{formula}__"
    found = {name: value for name, value in vars(topic).items() if name.startswith(start)}
    short = {name.removeprefix(start): value for name, value in found.items()}
    return {lost.get(name, name): value for name, value in short.items()}
