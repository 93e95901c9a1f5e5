"""The least loss that is possible where a language is known: no model can be better on average."""

from collections.abc import Callable, Iterable, Mapping, Sequence

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

    Bayes' rule over all texts of the language: what is read may be masked, changed or as it was,
    and of a word that is not masked the reader does not know which. That a place was chosen is
    known, since only chosen places are asked.

    Args:
        read: rows of ids and targets, (batch, n), as `mask_tokens` gives them.
        texts: all texts as ids, padded, (T, n).
        probabilities: of the texts.
        mask_id: the id of the mask.
        word_ids: the ids that were chosen from and drawn from.
        share: of the words that were chosen.
        masked: of those, the share that became the mask.
        random: of those, the share that became any word.

    Returns:
        Natural logarithms, in the order of the rows and of the places in each.

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


def target_log_probabilities(
    examples: Sequence[tuple[Words, Words]],
    texts: Mapping[Words, float],
    outcomes: Callable[[Words], Iterable[Outcome]],
) -> Float[Array, " examples"]:
    """Return the log probability of each target given its source.

    Args:
        examples: sources and targets.
        texts: all texts of the language with their probabilities.
        outcomes: every way in which a text may be spoiled.

    Raises:
        ValueError: a target cannot come with its source.

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
    """Return how probable it is that the second sentence follows, when half of all pairs do.

    Args:
        pair: of sentences of the language.
        texts: all texts as two sentences, with their probabilities.

    >>> texts = {(("a",), ("b",)): 0.5, (("c",), ("d",)): 0.5}
    >>> follows_probability(SentencePair(("a",), ("b",), True), texts).__round__(4)
    0.6667
    """
    together = texts.get((pair.first, pair.second), 0.0)
    first = sum(p for (a, _), p in texts.items() if a == pair.first)
    second = sum(p for (_, b), p in texts.items() if b == pair.second)
    return together / (together + first * second) if together else 0.0
