"""Count what this assignment stores of two small models: `python exercises/source/.../stored.py`.

The notebook holds the numbers, so a page trains nothing. A test compares both.
"""

import argparse
import itertools
from typing import Any

import numpy as np

from course.languages.own import OwnLanguage
from course.small_decoder import HEADS, forward, start, train
from course.train_view import batch_of

RULES = """
n = sg pl
m = sg pl
S -> the N[n] V[n]! here | the N[n] near the N[m] V[n]! here
N[sg] -> key | dog | book | guard
N[pl] -> keys | dogs | books | guards
V[sg] -> is | was
V[pl] -> are | were
"""
SEED, STEPS, FEW_STEPS = 4, 400, 70
NOUNS = "key dog book guard".split()
LANGUAGE = OwnLanguage(RULES)
IS_PLURAL = np.array([[i, j] for i in (0, 1) for j in (0, 1) for _ in NOUNS for _ in NOUNS], bool)
TEXTS = [
    f"the {one}{'s' * i} near the {other}{'s' * j}"
    for i in (0, 1)
    for j in (0, 1)
    for one, other in itertools.product(NOUNS, NOUNS)
]
IDS = np.array([LANGUAGE.vocabulary.encode(text.split(), start=True) for text in TEXTS])


def trained(steps: int) -> Any:
    """Return the parameters of a model after some training steps."""
    rng = np.random.default_rng(SEED)
    T = start(rng, len(LANGUAGE.vocabulary))

    def draw() -> Any:
        return batch_of(LANGUAGE.vocabulary, [LANGUAGE.sample(rng) for _ in range(16)])

    for _ in train(T, draw, steps=steps):
        pass
    return T


def silence(T: Any, heads: tuple[int, ...]) -> Any:
    """Return parameters with zeros in the place of what some heads add; the first head is 1."""
    W = T["W_O"].copy()
    for head in heads:
        np.split(W, HEADS)[head - 1][:] = 0
    return T | {"W_O": W}


def right(T: Any) -> Any:
    """Return for each text whether the right verb of "is" and "are" has the larger logit."""
    singular, plural = LANGUAGE.vocabulary.encode(["is", "are"])
    logits = forward(T, IDS)[0][:, -1]
    return (logits[:, plural] > logits[:, singular]) == IS_PLURAL[:, 0]


def attention(T: Any) -> list[float]:
    """Return the mean attention that each head gives to the first noun."""
    (_, _, _, _, _, W, *_) = forward(T, IDS)[1]
    return [float(weight) for weight in W[:, :, -1, 2].mean(axis=0)]


def heads() -> dict[str, int]:
    """Return the counts of Task 4."""
    T = trained(STEPS)
    rows = {"no head": (), **{f"head {head}": (head,) for head in range(1, HEADS + 1)}}
    rows |= {"heads 1 and 3": (1, 3), "heads 2 and 4": (2, 4), "all four heads": (1, 2, 3, 4)}
    return {name: int(right(silence(T, each)).sum()) for name, each in rows.items()}


def items() -> dict[str, list[int]]:
    """Return the counts of Task 5."""
    found, differ = right(trained(FEW_STEPS)), IS_PLURAL[:, 0] != IS_PLURAL[:, 1]
    parts = {"same number": found[~differ], "nouns differ": found[differ], "all items": found}
    return {name: [int(part.sum()), len(part)] for name, part in parts.items()}


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print([round(weight, 2) for weight in attention(trained(STEPS))])
    print(heads())
    print(items())
