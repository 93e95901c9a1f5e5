"""Our byte-pair encoding beside the package `tokenizers`."""

from typing import Any

from transformer_lib.text import BytePairTokenizer


def encoded(tokenizer: BytePairTokenizer, texts: list[str]) -> list[list[int]]:
    """Return the ids of each text."""
    return [tokenizer.encode(text) for text in texts]


def their_encoding(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """Return the ids that a tokenizer of the package gives each text."""
    return [tokenizer.encode(text).ids for text in texts]


def their_training(texts: list[str], size: int) -> Any:
    """Train a tokenizer of the package as GPT-2's is set up."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
