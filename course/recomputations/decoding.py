"""What the notes' greedy decoding comes to: distributions, choices, the sentence."""

import numpy as np

from transformer_lib.decoding.greedy import greedy_search
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.softmax import softmax


def normalized(row: Array) -> Array:
    """Divide by the sum, so that a distribution comes back as it was and no other row does."""
    return softmax(np.log(row))


def chosen(row: Array, vocabulary: list[str]) -> str:
    """Return the most probable token."""
    found = greedy_search(lambda _: np.log(row), [0], end=None, max_new_tokens=1)
    return vocabulary[found.tokens[0]]


def largest(row: Array) -> float:
    """Return the probability of the most probable token."""
    return float(np.max(row))


def sentence(first: str, second: str, third: str, fourth: str) -> str:
    """Write the chosen tokens as a sentence."""
    return " ".join((first, second, third, fourth)).capitalize()
