"""Seven languages to begin with, each with the question that a training on it answers."""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Preset(NamedTuple):
    """Rules in the notation, what they ask, and two sentences that differ in one word.

    `against` has other rules of the same words, to train on instead or to be examined with.
    """

    title: str
    question: str
    rules: str
    possible: str
    impossible: str
    against: str = ""


FILE = Path(__file__).with_suffix(".toml")
PRESETS = {name: Preset(**each) for name, each in tomllib.loads(FILE.read_text("utf-8")).items()}
"""The presets of presets.toml by their short names."""
