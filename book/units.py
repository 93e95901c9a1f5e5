"""Keep the characters and words of the training text: `python -m book.units`.

A page that computes in the browser has no torch, so it lacks a part of the corpus and could not
learn the vocabularies that chapter 17 compares.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from book.paths import ROOT
from transformer_lib.text import load_corpus, train_units

FILE = ROOT / "chapters" / "models" / "real_text.units.json"
SIZE = 4097  # tokens at most, as the largest vocabulary of merges in the chapter


def learned() -> dict[str, Any]:
    """Return the digest of the corpus, and its characters and words without the unknown one."""
    corpus = load_corpus()
    found = {
        unit: train_units(corpus.parts.train, unit=unit, vocabulary_size=SIZE).vocabulary[1:]
        for unit in ("characters", "words")
    }
    return {"corpus": corpus.digest} | {unit: list(tokens) for unit, tokens in found.items()}


def main(words: Sequence[str] | None = None) -> int:
    """Write the file."""
    argparse.ArgumentParser(prog="python -m book.units", description=__doc__).parse_args(words)
    told = json.dumps(learned(), ensure_ascii=False)
    FILE.write_text(told + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
