"""Masked language modeling: some tokens are hidden, and the model predicts them."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from transformer_lib.decoding.draw import generator
from transformer_lib.formulas.checks import Array

IGNORED = -100  # the target where nothing is asked: a loss leaves it out


class Masked(NamedTuple):
    """What the model reads and what it should predict, both with the shape of the ids."""

    ids: Array
    targets: Array


def mask_tokens(
    ids: Int[np.ndarray, "..."],
    *,
    mask_id: int,
    word_ids: range,
    rng: np.random.Generator,
    share: float = 0.15,
    masked: float = 0.8,
    random: float = 0.1,
) -> Masked:
    """Choose some of the words, and replace most of them by the mask and a few by any word.

    Each word is chosen independently with probability `share`. A chosen word becomes the mask or a
    word sampled from all (perhaps the same word), or it stays; in each case it is the target at its
    position. The targets at other positions are -100.

    Args:
        ids: token ids, of any shape.
        mask_id: the id of the mask.
        word_ids: the ids that may be chosen and that may replace a chosen word, without special
            tokens.
        rng: the generator that decides on each word.
        share: the probability that a word is chosen.
        masked: the share of the chosen words that becomes the mask.
        random: the share of the chosen words that becomes any word.

    Raises:
        ValueError: rng is not a numpy Generator, or a share is not between 0 and 1.

    Source: Devlin et al. (2019), section 3.1, task 1, and appendix A.1. They choose 15 of 100
    tokens; later implementations choose each token independently.

    >>> found = mask_tokens(
    ...     np.array([2, 8, 9, 8, 3]), mask_id=4, word_ids=range(8, 10), masked=1.0, random=0.0,
    ...     share=0.5, rng=np.random.default_rng(0),
    ... )
    >>> found.ids.tolist(), found.targets.tolist()
    ([2, 4, 4, 4, 3], [-100, 8, 9, 8, -100])
    """
    generator(rng)
    probability(share=share, masked=masked, random=random, both=masked + random)
    words = (ids >= word_ids.start) & (ids < word_ids.stop)
    chosen = words & (rng.random(ids.shape) < share)
    fate = rng.random(ids.shape)
    drawn = rng.integers(word_ids.start, word_ids.stop, ids.shape)
    read = np.where(fate < masked, mask_id, np.where(fate < masked + random, drawn, ids))
    return Masked(np.where(chosen, read, ids), np.where(chosen, ids, IGNORED))


def probability(**shares: float) -> None:
    """Raise ValueError unless each share is between 0 and 1."""
    for name, share in shares.items():
        if isinstance(share, bool) or not 0 <= share <= 1 + 1e-12:
            raise ValueError(f"{name} must be between 0 and 1, got {share!r}")
