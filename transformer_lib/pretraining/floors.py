"""The least possible loss on a known language: no model can have a lower one on average."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_lib.formulas.checks import Array
from transformer_lib.pretraining.masking import IGNORED, Masked
from transformer_lib.pretraining.next_sentence import SentencePair, Words
from transformer_lib.pretraining.outcomes import Outcome


def masked_log_probabilities(
    read: Masked,
    texts: Int[np.ndarray, "T n"],
    probabilities: Float[np.ndarray, " T"],
    *,
    mask_id: int,
    word_ids: range,
    share: float = 0.15,
    masked: float = 0.8,
    random: float = 0.1,
) -> Float[Array, " chosen"]:
    """Return the log probability of every target of `mask_tokens`, given all that is read.

    Bayes' rule is applied over all texts of the language. A word may be masked, changed or left as
    it was; if it is not masked, the reader does not know which of the other two happened. It is
    known which positions were chosen, since only these have a target.

    Args:
        read: rows of ids and targets, (batch, n), as `mask_tokens` gives them.
        texts: all texts as ids, padded, (T, n).
        probabilities: of the texts.
        mask_id: the id of the mask.
        word_ids: the ids that may be chosen and that may replace a chosen word.
        share: the share of the words that were chosen.
        masked: the share of the chosen words that became the mask.
        random: the share of the chosen words that became any word.

    Returns:
        Natural logarithms, in the order of the rows and of the positions in each row.

    Source: Bayes' rule; the noise is that of Devlin et al. (2019), section 3.1.

    >>> texts = np.array([[8, 9], [9, 9]])
    >>> read = Masked(np.array([[4, 9]]), np.array([[8, -100]]))
    >>> found = masked_log_probabilities(
    ...     read, texts, np.array([0.75, 0.25]), mask_id=4, word_ids=range(8, 10))
    >>> np.exp(found).round(4)
    array([0.75])
    """
    drawn = random / len(word_ids)
    stays = 1 - masked - random + drawn  # of a chosen word, whether kept or drawn again
    is_word = (texts >= word_ids.start) & (texts < word_ids.stop)
    found = []
    for row, targets in zip(read.ids, read.targets, strict=True):
        same = texts == row
        by_word = np.where(same, 1 - share + share * stays, share * drawn)
        by_word = np.where(row == mask_id, share * masked, by_word)
        weights = probabilities * np.where(is_word, by_word, same).prod(axis=1)
        for i in np.flatnonzero(targets != IGNORED):
            # That i was chosen: its factor is that of a chosen word.
            ratio = np.where(same[:, i], share * stays / (1 - share + share * stays), 1.0)
            w = weights * (1.0 if row[i] == mask_id else ratio)
            found.append(np.log(w[texts[:, i] == targets[i]].sum() / w.sum()))
    return np.array(found)


def masked_floor(
    texts: Int[np.ndarray, "T n"],
    probabilities: Float[np.ndarray, " T"],
    *,
    word_ids: range,
    share: float = 0.15,
    masked: float = 0.8,
    random: float = 0.1,
) -> float:
    """Return the least possible mean loss per target of `mask_tokens`, in nats, exactly.

    Texts are classified by the positions of their words, and these positions are split into groups
    that are independent of each other. Within a group, every possible input is listed.

    Args:
        texts: all texts as ids, padded, (T, n).
        probabilities: of the texts.
        word_ids: the ids that may be chosen and that may replace a chosen word.
        share: the share of the words that are chosen.
        masked: the share of the chosen words that becomes the mask.
        random: the share of the chosen words that becomes any word.

    Raises:
        ValueError: the groups are not jointly independent, although any two of their positions are.

    Source: Bayes' rule; the noise is that of Devlin et al. (2019), section 3.1.

    >>> texts = np.array([[8, 9], [9, 9]])
    >>> floor = masked_floor(texts, np.array([0.75, 0.25]), word_ids=range(8, 10), random=0.0)
    >>> round(floor, 4)  # half of the targets are first words: 8 of 10 are masks, 3/4 to 1/4
    0.2249
    """
    count = len(word_ids)
    same, kept = np.eye(count, count + 1), 1 - masked - random
    chosen = kept * same + random / count  # a row a word, a column a word that is read; the mask
    chosen[:, count] = masked
    either = share * chosen + (1 - share) * same
    is_word = (texts >= word_ids.start) & (texts < word_ids.stop)
    loss = 0.0
    for places in np.unique(is_word, axis=0):
        rows = (is_word == places).all(axis=1)
        words = texts[rows][:, places] - word_ids.start
        for values, p in _independent(words, probabilities[rows], count):
            for i in range(values.shape[1]):
                joint = p[:, None]
                for j, word in enumerate(values.T):
                    read = (chosen if i == j else either)[word]
                    joint = (joint[:, :, None] * read[:, None, :]).reshape(len(p), -1)
                each = np.zeros((count, joint.shape[1]))
                np.add.at(each, values[:, i], joint)
                loss += _entropy(each) - _entropy(joint.sum(axis=0))
    return loss / float(probabilities @ is_word.sum(axis=1))


def _entropy(weights: Array) -> float:
    """Return the entropy of weights, whatever their sum."""
    some = weights[weights > 0]
    return -float(some @ np.log(some))


def _independent(
    words: Int[np.ndarray, "T n"], p: Float[np.ndarray, " T"], count: int
) -> list[tuple[Any, Any]]:
    """Return each group of dependent places: the words they may hold, and how probable these are.

    The probabilities sum to that of all texts.
    """
    reached = np.eye(words.shape[1], dtype=bool)
    for i, j in combinations(range(words.shape[1]), 2):
        pair = np.bincount(words[:, i] * count + words[:, j], p, count**2).reshape(count, count)
        apart = np.outer(pair.sum(axis=1), pair.sum(axis=0)) / p.sum()
        reached[i, j] = reached[j, i] = not np.allclose(pair, apart, rtol=1e-9, atol=1e-12)
    for _ in range(len(reached)):
        reached = reached @ reached
    found, product = [], np.full(len(p), p.sum())
    for group in np.unique(reached, axis=0):
        values, which = np.unique(words[:, group], axis=0, return_inverse=True)
        found.append((values, np.bincount(which.ravel(), p)))
        product *= found[-1][1][which.ravel()] / p.sum()
    if not np.allclose(product, p, rtol=1e-9, atol=1e-12):
        raise ValueError("texts must consist of independent groups of positions, got others")
    return found


def target_log_probabilities(
    examples: Sequence[tuple[Words, Words]],
    texts: Mapping[Words, float],
    outcomes: Callable[[Words], Iterable[Outcome]],
) -> Float[Array, " examples"]:
    """Return the log probability of each target given its source.

    Args:
        examples: sources and targets.
        texts: all texts of the language with their probabilities.
        outcomes: a function that gives every way in which a text may be corrupted.

    Raises:
        ValueError: a target cannot occur with its source.

    >>> texts = {("a", "b"): 0.75, ("c", "b"): 0.25}
    >>> first = lambda words: [Outcome(("_", *words[1:]), words, 1.0)]
    >>> np.exp(target_log_probabilities([(("_", "b"), ("a", "b"))], texts, first)).round(4)
    array([0.75])
    """
    total = {source: 0.0 for source, _ in examples}
    joint = {example: 0.0 for example in examples}
    for words, p in texts.items():
        for source, target, q in outcomes(words):
            if source in total:
                total[source] += p * q
                if (source, target) in joint:
                    joint[source, target] += p * q
    if wrong := [example for example in examples if not joint[example]]:
        raise ValueError(f"examples must be possible, got {wrong[0]}")
    return np.log([joint[source, target] / total[source] for source, target in examples])


def follows_probability(pair: SentencePair, texts: Mapping[tuple[Words, Words], float]) -> float:
    """Return the probability that the second sentence follows, if it does in half of all pairs.

    Args:
        pair: two sentences of the language.
        texts: all texts as two sentences, with their probabilities.

    >>> texts = {(("a",), ("b",)): 0.5, (("c",), ("d",)): 0.5}
    >>> follows_probability(SentencePair(("a",), ("b",), True), texts).__round__(4)
    0.6667
    """
    together = texts.get((pair.first, pair.second), 0.0)
    first = sum(p for (a, _), p in texts.items() if a == pair.first)
    second = sum(p for (_, b), p in texts.items() if b == pair.second)
    return together / (together + first * second) if together else 0.0
