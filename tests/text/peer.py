"""The package `tokenizers` set up as GPT-2 is, and a text to learn from."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from transformer_lib.text import from_printable

LETTERS = list("aaabbbcccdddeeefffghiéé漢'1 ")


def documents(seed: int = 0, count: int = 40) -> list[str]:
    """Texts of few words, so that many pairs are equally frequent."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(LETTERS, rng.integers(1, 9))) for _ in range(300)]
    return [" ".join(rng.choice(words, 30)) for _ in range(count)]


def lines(count: int) -> Iterator[str]:
    """A text longer than what we want to hold in memory."""
    for i in range(count):
        yield f"line {i % 100} of a text that is longer than what we want to hold in memory\n"


def trained(texts: list[str], size: int, special_tokens: tuple[str, ...] = ()) -> Any:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(special_tokens),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def merges_of(tokenizer: Any) -> tuple[tuple[bytes, bytes], ...]:
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return tuple((from_printable(left), from_printable(right)) for left, right in merges)
