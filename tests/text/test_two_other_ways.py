"""Unigram and WordPiece: what chapter 17 works out is what the package `tokenizers` gives."""

import json
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from book.paths import ROOT

CHAPTER = ROOT / "chapters" / "17_tokens.ipynb"
WORDS = ["".join(letters) for n in range(1, 7) for letters in product("hat", repeat=n)]


@pytest.fixture(scope="module")
def worked() -> dict[str, Any]:
    """What the chapter's cell on unigram defines: its probabilities, and its list of all cuts."""
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    (code,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "c040"]
    names: dict[str, Any] = {"np": np}
    exec(code, names)
    return names


def test_unigram_takes_the_most_probable_of_all_cuts(worked: dict[str, Any]) -> None:
    chance = {token: math.log(p) for token, p in worked["chance"].items()}
    theirs = Tokenizer(models.Unigram([*chance.items()]))
    assert theirs.encode("that").tokens == [*worked["ways"][0]] == ["th", "at"]
    for word in WORDS:
        found, ways = theirs.encode(word).tokens, worked["cuts"](word)
        best = max(map(worked["probability"], ways))
        assert tuple(found) in ways
        assert math.isclose(worked["probability"](found), best, rel_tol=1e-9), word


def test_wordpiece_takes_the_longest_token_from_the_left(worked: dict[str, Any]) -> None:
    vocabulary = {token: i for i, token in enumerate([*worked["chance"], "[UNK]"])}
    theirs = Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", continuing_subword_prefix="")
    )
    for word in WORDS:
        cut, rest = [], word
        while rest:
            fits = [rest[:n] for n in range(1, len(rest) + 1) if rest[:n] in vocabulary]
            cut.append(max(fits, key=len))
            rest = rest.removeprefix(cut[-1])
        assert theirs.encode(word).tokens == cut
