"""The vocabularies that chapter 17 hands to a page are those of its training text."""

import json

from book import units


def test_the_kept_vocabularies_are_those_that_are_learned() -> None:
    kept = json.loads(units.FILE.read_text(encoding="utf-8"))
    # Another corpus comes with other pins of numpy and torch: call python -m book.units.
    assert kept == units.learned()
