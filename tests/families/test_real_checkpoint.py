"""The cell of chapter 14 that shows a real checkpoint, run on tiny ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from book.paths import ROOT
from tests.families.checkpoints import write

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import


def sources() -> list[str]:
    """The imports of the chapter, the function and the cell that calls it."""
    path = ROOT / "chapters" / "14_families.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    wanted = ("import numpy as np", "def real_attention", '"REAL_CHECKPOINT"')
    return [next(text for text in texts if word in text) for word in wanted]


def run() -> Any:
    space: dict[str, Any] = {}
    for source in sources():
        exec(source, space)
    return space["found"]


@pytest.mark.parametrize("name", ["gpt2", "bert", "bart"])
def test_the_attention_of_a_checkpoint_is_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "the chef who ran out of blackberries was hungry . The".split()
    tokenizer = Tokenizer(models.WordLevel({w: i + 3 for i, w in enumerate(words)}, "the"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(write(name, tmp_path / name) / "tokenizer.json"))
    monkeypatch.setenv("REAL_CHECKPOINT", str(tmp_path / name))
    shown = run()
    assert shown.html.count("blackberries") >= 3  # a drawing a head, with the words of the sentence
    assert "head 3" in shown.text


def test_without_one_it_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REAL_CHECKPOINT", raising=False)
    assert "`REAL_CHECKPOINT=$PWD/gpt2 make lab`" in run().data
