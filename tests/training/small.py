"""A model, a language and settings so small that a run takes a second."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

import transformer_lib as tl
from transformer_lib import nn
from transformer_lib.training import Batch, Settings, language_model_batch

WORDS = tl.Vocabulary(["a", "b", "c", "d"])


def model_of(kind: str = "decoder", seed: int = 0, **changes: Any) -> Any:
    if kind in ("rnn", "lstm"):
        return nn.RecurrentModel(kind, vocabulary_size=len(WORDS), d_model=8, seed=seed)
    fields = dict(vocabulary_size=len(WORDS), d_model=8, heads=2, layers=1, d_ff=12, dropout=0.2)
    return nn.Transformer(nn.Configuration(kind=kind, **(fields | changes)), seed=seed)


def draw(rng: np.random.Generator) -> Batch:
    """Draw sentences that go round in a circle from a random place on."""
    starts, lengths = rng.integers(0, 4, 6), rng.integers(1, 7, 6)
    sentences = [
        ["abcd"[(s + i) % 4] for i in range(n)] for s, n in zip(starts, lengths, strict=True)
    ]
    return language_model_batch(sentences, WORDS)


def settings(**changes: Any) -> Settings:
    fields: dict[str, Any] = dict(steps=30, warm_up=2, batch_size=6, checkpoint_every=10)
    return Settings(**(fields | changes))


def text_run(training: str, model: str) -> str:
    """Return a run file for `text.txt` beside it, with these lines in its sections."""
    return f"""
[text]
path = "text.txt"
vocabulary = 270
length = 12

[model]
kind = "decoder"
d_model = 8
heads = 2
layers = 1
{model}

[training]
{training}
"""


def write_corpus(folder: Path) -> None:
    """Write the `text.txt` of a run file: paragraphs of a few words."""
    rng, words = np.random.default_rng(0), "the cat sat on a mat and the dog ran far away from it"
    paragraphs = [" ".join(rng.choice(words.split(), 280)) for _ in range(80)]
    (folder / "text.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")


def logged(path: Path) -> list[dict[str, str]]:
    """Return the lines of a log by the names of their columns."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def edited(path: Path, **changes: Any) -> None:
    """Change what a file of JSON says."""
    content = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(content), encoding="utf-8")
