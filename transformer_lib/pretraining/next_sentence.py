"""Next-sentence prediction: does the second sentence follow the first?"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from transformer_lib.decoding.draw import generator

Words = tuple[str, ...]


class SentencePair(NamedTuple):
    """Two sentences, and whether the second followed the first in a text."""

    first: Words
    second: Words
    follows: bool


def sentence_pairs(
    texts: Sequence[Sequence[Words]], rng: np.random.Generator
) -> list[SentencePair]:
    """Pair the first sentence of each text with its second, or with that of another text.

    Each case has probability 1/2. The other text is sampled from the remaining texts.

    Args:
        texts: two or more texts, each of two sentences.
        rng: the generator that draws which second sentences are replaced, and by which.

    Raises:
        ValueError: rng is not a numpy Generator, fewer than two texts are given, or a text does not
            have two sentences.

    Source: Devlin et al. (2019), section 3.1, task 2.

    >>> texts = [(("a",), ("b",)), (("c",), ("d",)), (("e",), ("f",))]
    >>> for pair in sentence_pairs(texts, np.random.default_rng(1)):
    ...     print(*pair.first, *pair.second, pair.follows)
    a f False
    c d True
    e b False
    """
    generator(rng)
    if len(texts) < 2:
        raise ValueError(f"texts must be two or more, got {len(texts)}")
    if wrong := [text for text in texts if len(text) != 2]:
        raise ValueError(f"texts must have two sentences each, got {wrong[0]!r}")
    pairs = []
    for i, (first, second) in enumerate(texts):
        follows = bool(rng.random() < 0.5)
        other = int(rng.integers(len(texts) - 1))
        pairs.append(
            SentencePair(first, second if follows else texts[other + (other >= i)][1], follows)
        )
    return pairs
