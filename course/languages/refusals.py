"""The bounds of a language of typed rules and the sentences that refuse one, as data."""

import tomllib
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".toml")
DATA: dict[str, Any] = tomllib.loads(FILE.read_text("utf-8"))
BOUNDS: dict[str, Any] = DATA["bounds"]
"""The numbers of refusals.toml by their names."""


def says(which: str, **parts: object) -> str:
    """Return a sentence of refusals.toml, with these parts and the bounds in it.

    >>> says("many")
    'features must make at most 500 rules'
    """
    sentence: str = DATA["says"][which]
    return sentence.format(**BOUNDS | parts)
