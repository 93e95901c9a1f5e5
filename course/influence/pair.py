"""A minimal pair, and how much more a model expects its possible word.

margin:  log p(right | before) - log p(wrong | before), in nats
"""

from typing import NamedTuple

import numpy as np

from course.languages.own import OwnLanguage
from course.small_decoder import Arrays, forward
from transformer_lib import Vocabulary


class Pair(NamedTuple):
    """The words of both sentences up to where they differ, and the two words there."""

    before: tuple[str, ...]
    right: str
    wrong: str
    sentence: tuple[str, ...]
    """The possible sentence, whole."""


def pair_of(language: OwnLanguage, possible: str, impossible: str) -> Pair:
    """Read a minimal pair.

    Args:
        language: that makes the first sentence and not the second.
        possible: words with blanks between them.
        impossible: as many words, of which one is another.

    Raises:
        ValueError: a word is unknown, the sentences do not differ in exactly one word, or the
            language does not make the first one, or makes the second.
    """
    one, other = tuple(possible.split()), tuple(impossible.split())
    if unknown := [word for word in one + other if word not in language.words]:
        raise ValueError(
            f"{unknown[0]!r} is no word of the language. Write words as the rules do, without a "
            "full stop."
        )
    differ = [i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(differ) != 1:
        raise ValueError(
            "The two sentences must have as many words and differ in exactly one. Change the other "
            "one, too."
        )
    if language.log_probability(one) == -np.inf:
        raise ValueError(f"The first sentence must be possible, but no rule makes {possible!r}.")
    if language.log_probability(other) > -np.inf:
        raise ValueError(f"The second sentence must be impossible: the rules make {impossible!r}.")
    (place,) = differ
    return Pair(one[:place], one[place], other[place], one)


def margin(T: Arrays, words: Vocabulary, pair: Pair) -> float:
    """Return by how many nats a model expects the right word more than the wrong one."""
    logits = forward(T, np.array(words.encode(pair.before, start=True)))[0][-1]
    right, wrong = words.encode([pair.right, pair.wrong])
    return float(logits[right] - logits[wrong])
