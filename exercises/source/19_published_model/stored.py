"""Make what this assignment stores of the model's file: `python exercises/source/.../stored.py`.

The notebook holds the numbers, so a page without the model shows them. A test compares both.
"""

import argparse
import functools
from pathlib import Path
from typing import Any

import numpy as np
import torch

from course.published import ask, fetch
from course.published.model import prompt
from transformer_lib.model.gguf import read_entries
from transformer_lib.text import ends_word, word_bits

START = "<|endoftext|>"
PREFIXES = ("", START, "<|im_start|>", "\n")
FIRST = "Key Dog Boy Chef Car Book Song Letter".split()
WORDS = "near behind with beside above".split()
NOUNS = "key dog book song teacher artist guard window".split()
OTHERS = "cabinet boy table doctor garden".split()
TENSOR = "blk.0.ffn_gate.weight"
EDGES = (0.25, 0.4, 0.7)
PASSAGES = Path(__file__).parents[3] / "chapters" / "passages.txt"


def block() -> list[int]:
    """Return the bytes of the first block of a matrix."""
    entry = read_entries(fetch.place())[TENSOR]
    found = np.fromfile(fetch.place(), np.uint8, count=20, offset=entry.start)
    return [int(byte) for byte in found]


def logs_after(ids: list[int]) -> Any:
    """Return the log-probabilities of the next token after some ids."""
    model, _ = ask.model_and_tokenizer()
    with torch.no_grad():
        return model(torch.tensor([ids]))[0].log_softmax(dim=-1)


@functools.cache
def token(text: str) -> int:
    """Return the id of a text of one token."""
    (found,) = ask.model_and_tokenizer()[1].encode(text)
    return int(found)


@functools.cache
def word_ends() -> Any:
    """Return which tokens show that a word has ended."""
    return ends_word(ask.model_and_tokenizer()[1])


def nats(text: str) -> Any:
    """Return the surprisal of each word but the first token, up to where the word ends."""
    ids = ask.model_and_tokenizer()[1].encode(text)
    return np.log(2) * word_bits(logs_after(ids).numpy(), np.array(ids[1:]), word_ends())


def difference(text: str, prefix: str = START) -> float:
    """Return log P(are) - log P(is) after a text, of the words with their ends."""
    are, is_ = (nats(f"{prefix}{text} {verb}")[-1] for verb in ("are", "is"))
    return round(float(is_ - are), 2)


def after_prefixes() -> list[list[float]]:
    """Return the differences for each prefix: 40 plural subjects, then 40 singular ones."""
    texts = [f"{n}{end} {w} the house" for end in ("s", "") for n in FIRST for w in WORDS]
    return [[difference(text, prefix) for text in texts] for prefix in PREFIXES]


def clauses() -> list[list[float]]:
    """Return the differences for each noun: singular, then plural, each with ten other nouns."""
    others = [other + end for end in ("", "s") for other in OTHERS]
    return [
        [difference(f"The {noun}{end} the {other} saw") for end in ("", "s") for other in others]
        for noun in NOUNS
    ]


def pairs() -> list[tuple[str, str]]:
    """Return the first 24 minimal pairs of the chapter, the grammatical sentence first."""
    found = []
    for noun in NOUNS[:4]:
        for other in OTHERS[:3]:
            many, one = f"The {noun}s near the {other}", f"The {noun} near the {other}s"
            found += [(f"{many} are old.", f"{many} is old.")]
            found += [(f"{one} is old.", f"{one} are old.")]
    return found


def asked() -> list[list[float]]:
    """Return log P(1) - log P(2) for each pair, if its grammatical sentence is the first or second.

    The third number is the difference of the log-probabilities of both sentences.
    """
    found = []
    for good, bad in pairs():
        row = [answer(good, bad), answer(bad, good), sentence(good) - sentence(bad)]
        found.append([round(each, 2) for each in row])
    return found


def answer(first: str, second: str) -> float:
    """Ask which sentence is grammatical; return log P(1) - log P(2)."""
    question = f"Which sentence is grammatical? 1: {first} 2: {second} Answer with 1 or 2."
    logs = logs_after(prompt(question, ask.model_and_tokenizer()[1]))[-1]
    return float(logs[token("1")] - logs[token("2")])


def sentence(text: str) -> float:
    """Return the log-probability of a sentence, up to where its last word ends."""
    return -float(nats(START + text).sum())


def bins() -> list[list[float]]:
    """Return for each bin of the largest probability its positions, its mean, the share right."""
    _, tokenizer = ask.model_and_tokenizer()
    ids = np.array(tokenizer.encode(PASSAGES.read_text(encoding="utf-8"))).reshape(-1, 255)
    start = tokenizer.encode(START)
    best = [logs_after([*start, *passage[:-1]]).max(dim=-1) for passage in ids.tolist()]
    confidence = np.concatenate([each.values.exp().numpy() for each in best])
    right = np.concatenate([each.indices.numpy() for each in best]) == ids.ravel()
    which = np.digitize(confidence, EDGES)
    return [
        [
            int((which == b).sum()),
            *(round(float(x[which == b].mean()), 2) for x in (confidence, right)),
        ]
        for b in range(len(EDGES) + 1)
    ]


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for make in (block, after_prefixes, clauses, asked, bins):
        print(make.__name__, make(), flush=True)
