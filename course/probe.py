"""Where in a small decoder the words that fit can be read off: a probe by the nearest mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from course.small_decoder import Array, Arrays, stream


def readable(
    T: Arrays, language: Any, known: Sequence[Any], new: Sequence[Any], back: int = 1
) -> list[float]:
    """Return the share of new sentences whose right words are those of the nearest mean.

    One share for each point of the stream: the start, after attention and after feed-forward.

    Args:
        T: the arrays of the model.
        language: has `vocabulary` and `judge`.
        known: sentences from which the means are taken, one for each set of right words.
        new: sentences that are told by them.
        back: how many words before the marked place the stream is read.

    Raises:
        ValueError: no sentence has so many words before its marked place.
    """
    (vectors, kinds), (asked, answers) = (_read(T, language, each, back) for each in (known, new))
    names = sorted(set(kinds))
    means = np.array([vectors[[kind == name for kind in kinds]].mean(axis=0) for name in names])
    far = np.linalg.norm(asked[:, None] - means, axis=-1)  # (sentences, kinds, points)
    found = np.array(names, dtype=object)[far.argmin(axis=1)]
    return [float(np.mean(column == np.array(answers, dtype=object))) for column in found.T]


def _read(T: Arrays, language: Any, sentences: Sequence[Any], back: int) -> tuple[Array, list[str]]:
    """Return the vectors (sentences, points, columns) and the right words of each sentence."""
    judged = [(each, *language.judge(each)[:2]) for each in sentences]
    long = [(each[:place], right) for each, place, right in judged if 0 < back <= place]
    if not long:
        raise ValueError(f"back must leave a word before the marked place, got {back}")
    ids = (np.array(language.vocabulary.encode(words, start=True)) for words, _ in long)
    return np.array([stream(T, each)[:, -back] for each in ids]), [" ".join(r) for _, r in long]
