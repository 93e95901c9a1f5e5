"""Train a small decoder without some sentences of its training text."""

from collections.abc import Callable, Sequence

import numpy as np

from course.influence.groups import Mask
from course.small_decoder import Arrays, Batch, start, train
from course.train_view import BATCH, Words, batch_of
from transformer_lib import Vocabulary

STEPS, D_MODEL, RATE = 200, 16, 0.01
SEEDS, NEW_SEEDS = (0, 1, 2), (3, 4, 5)
"""Those with which influence is computed, and those that test a choice made with the first."""
Look = Callable[[int, Arrays], object]


def without(
    words: Vocabulary, sentences: Sequence[Words], out: Mask, seed: int, look: Look | None = None
) -> Arrays:
    """Return a decoder that is trained on the sentences that are not left out.

    The batches of a seed are the same whatever is left out, and what is left out is missing in
    them. So two models of a seed differ in nothing but what is left out.

    Args:
        words: of the language.
        sentences: the training text.
        out: which of them are left out, (sentences,).
        seed: of the first numbers and of the batches.
        look: is told each step, from 1, and the model after it.

    Raises:
        ValueError: all sentences are left out, or out does not say it of each.
    """
    if out.shape != (len(sentences),) or out.all():
        raise ValueError(f"out must leave some of {len(sentences)} sentences, got {out.shape}")
    rng, (ids, targets) = np.random.default_rng(seed), batch_of(words, sentences)
    T, left = start(rng, len(words), D_MODEL), np.flatnonzero(~out)

    def draw() -> Batch:
        rows = rng.integers(len(sentences), size=BATCH)
        rows = rows[~out[rows]]
        rows = rows if len(rows) else left[:1]  # a batch of which all is left out
        return ids[rows], targets[rows]

    for step, _ in enumerate(train(T, draw, steps=STEPS, rate=RATE), 1):
        if look:
            look(step, T)
    return T
