"""Our byte-pair encoding beside the package `tokenizers`: `python benchmarks/tokenizer.py`.

Both learn the same merges from numpy's docstrings and encode them, in turn and on one core; what
counts is the ratio of the medians. Encoding begins with an empty cache and goes on with a full one.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from transformer_lib.text import BytePairTokenizer, docstrings, train_bpe

ROUNDS = 5


def main() -> None:
    """Print the speed of both, and the ratio, for training and encoding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocabulary", type=int, default=4096)
    size = parser.parse_args().vocabulary
    os.environ["RAYON_NUM_THREADS"] = "1"  # before the first call: `tokenizers` looks only once
    texts = docstrings(["numpy"])
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    print(f"{len(texts)} docstrings of numpy, {megabytes:.2f} MB, vocabulary {size}, one core")
    ours, theirs = timed(
        "training",
        megabytes,
        lambda: train_bpe(texts, vocabulary_size=size),
        lambda: their_training(texts, size),
    )
    a, b = timed(
        "encoding, the cache empty",
        megabytes,
        lambda: encoded(BytePairTokenizer(ours.vocabulary, ours.merges), texts),
        lambda: their_encoding(type(theirs).from_str(theirs.to_str()), texts),
    )
    assert a == b, "the ids differ"
    timed(
        "encoding, the cache full",
        megabytes,
        lambda: encoded(ours, texts),
        lambda: their_encoding(theirs, texts),
    )


def timed(
    name: str, megabytes: float, ours: Callable[[], Any], theirs: Callable[[], Any]
) -> tuple[Any, Any]:
    """Call both in turn, print the ratio of their speeds, and return what they gave last."""
    times: list[list[float]] = [[], []]
    results: list[Any] = [None, None]
    for _ in range(ROUNDS):
        for which, body in enumerate((ours, theirs)):
            start = time.perf_counter()
            results[which] = body()
            times[which].append(time.perf_counter() - start)
    us, them = (statistics.median(spent) for spent in times)
    print(
        f"{name:26} ours {megabytes / us:6.2f} MB/s, tokenizers {megabytes / them:6.2f} MB/s: "
        f"ours is {them / us:.2f} times as fast"
    )
    return results[0], results[1]


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


if __name__ == "__main__":
    main()
