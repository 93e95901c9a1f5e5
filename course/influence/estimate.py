"""TracIn: an estimate, from one training, of what each sentence adds to a margin.

estimate(z) = sum over checkpoints of  rate * <d loss(z) / dT, d (-margin) / dT>
"""

from collections.abc import Sequence

import numpy as np

from course.influence.pair import Pair
from course.influence.without import RATE, STEPS, without
from course.small_decoder import Array, Arrays, loss_and_gradients, schedule
from course.train_view import Words, batch_of
from transformer_lib import Vocabulary

EVERY = 20
"""Steps between two checkpoints."""


def traced(words: Vocabulary, sentences: Sequence[Words], pair: Pair, seed: int) -> Array:
    """Return by how many nats each sentence is estimated to have raised the margin, (sentences,).

    A sentence stands for all its visits between two checkpoints. The training uses Adam, which
    scales each gradient, and the estimate is for plain gradient descent; only its order is used.

    Args:
        words: of the language.
        sentences: the training text.
        pair: whose margin is asked for.
        seed: of the training.

    Source: Pruthi et al. (2020), "Estimating training data influence by tracing gradient descent".
    """
    ids, targets = batch_of(words, sentences)
    read = np.array([words.encode(pair.before, start=True)])
    found = np.zeros(len(sentences))

    def gradient(word: str, T: Arrays) -> Arrays:
        target = np.full(read.shape, -1)
        target[0, -1] = words.encode([word])[0]
        return loss_and_gradients(T, read, target)[1]

    def look(step: int, T: Arrays) -> None:
        if step % EVERY != EVERY // 2:
            return
        right, wrong = gradient(pair.right, T), gradient(pair.wrong, T)
        rate = RATE * schedule(step, STEPS)
        for i in range(len(sentences)):
            G = loss_and_gradients(T, ids[i : i + 1], targets[i : i + 1])[1]
            found[i] += rate * sum(np.vdot(G[name], right[name] - wrong[name]) for name in G)

    without(words, sentences, np.zeros(len(sentences), bool), seed, look)
    return found


def rank_correlation(one: Array, other: Array) -> float:
    """Return Spearman's correlation of two rows of numbers; equal numbers share their mean rank.

    >>> rank_correlation(np.array([1.0, 2.0, 9.0]), np.array([0.1, 0.5, 0.2]))
    0.5
    """
    ranks = [np.unique(each, return_inverse=True, return_counts=True)[1:] for each in (one, other)]
    shared = [(np.cumsum(count) - (count - 1) / 2)[place] for place, count in ranks]
    return float(np.corrcoef(shared[0], shared[1])[0, 1])
