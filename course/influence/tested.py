"""Test with new seeds whether the sentences of the groups that count are needed, and enough.

score:   of a sentence, the sum of influence / size over the groups that count and have it
needed:  without the strongest sentences the margin shrinks, and without random ones it does not
enough:  a model learns the pair from only the strongest and as many random ones, and from only
         random ones it does not
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from course.influence.groups import Mask
from course.influence.pair import Pair, margin
from course.influence.trainings import Influence, Trainings
from course.influence.without import NEW_SEEDS, without
from course.small_decoder import Array

STRONGEST, DRAWS = (5, 15, 30), 4
"""How many sentences are tested together, and how many random choices they are compared with."""


class Outcome(NamedTuple):
    """Margins with new seeds, (seeds,), and of each random choice, (random choices, seeds)."""

    whole: Array
    without_chosen: Array
    without_random: Array
    on_chosen: Array
    on_random: Array


def scores(found: Influence, masks: Mapping[str, Mask]) -> Array:
    """Return the score of each sentence, (sentences,).

    Args:
        found: the influence of each group.
        masks: which sentences a group has, (sentences,), by its name.
    """
    total = np.zeros(len(next(iter(masks.values()))))
    for name in found.counting:
        total += masks[name] * found.lost[name].mean() / masks[name].sum()
    return total


def strongest(each: Array, count: int) -> Mask:
    """Return which sentences have the highest scores, (sentences,); of equals the earlier ones.

    >>> strongest(np.array([0.0, 2.0, 1.0]), 2)
    array([False,  True,  True])
    """
    return np.isin(np.arange(len(each)), np.argsort(-each, kind="stable")[:count])


def left_out(chosen: Mask, rng: np.random.Generator) -> dict[str, list[Mask]]:
    """Return what each training of a test leaves out, by the name of a field of `Outcome`.

    Args:
        chosen: the sentences that are tested, (sentences,).
        rng: draws the random ones.
    """
    total, size = len(chosen), int(chosen.sum())

    def drawn(count: int) -> list[Mask]:
        return [rng.permutation(total) < count for _ in range(DRAWS)]

    others = rng.permutation(np.flatnonzero(~chosen))[:size]
    return {
        "whole": [np.zeros(total, bool)],
        "without_chosen": [chosen],
        "without_random": drawn(size),
        "on_chosen": [~(chosen | np.isin(np.arange(total), others))],
        "on_random": [~each for each in drawn(2 * size)],
    }


class Trial:
    """The trainings of a test; it gives how many are done, and keeps what it has found."""

    def __init__(self, of: Trainings, pair: Pair, chosen: Mask, seed: int = 0) -> None:
        self.of, self.pair = of, pair
        outs = left_out(chosen, np.random.default_rng(seed))
        self.asked = [(name, out, s) for name in outs for out in outs[name] for s in NEW_SEEDS]
        self.margins: dict[str, list[float]] = {name: [] for name in outs}

    @property
    def total(self) -> int:
        """How many trainings there are in all."""
        return len(self.asked)

    def run(self) -> Iterator[int]:
        """Train, and give how many trainings are done after each of them."""
        words = self.of.language.vocabulary
        for done, (name, out, seed) in enumerate(self.asked, 1):
            T = without(words, self.of.sentences, out, seed)
            self.margins[name].append(margin(T, words, self.pair))
            yield done

    def outcome(self) -> Outcome:
        """Return the margins once all trainings are done."""
        rows = {n: np.array(each).reshape(-1, len(NEW_SEEDS)) for n, each in self.margins.items()}
        single = {"whole", "without_chosen", "on_chosen"}
        return Outcome(**{n: row[0] if n in single else row for n, row in rows.items()})
