"""The control: random groups as large as the real ones, and the rule by which a group counts.

counts:  |m - M| > 5 D, where m is what the margin loses without the group, as the mean over the
         seeds, and M and D are mean and standard deviation of that for eight random groups
"""

from collections.abc import Mapping, Sequence

import numpy as np

from course.influence.groups import Mask
from course.small_decoder import Array

RANDOM, FAR, WIDTH = 8, 5.0, 1.25
"""Random groups of a class; standard deviations from which a group counts; and how many times the
smallest size of a class its largest may be."""


def classes(sizes: Sequence[int]) -> dict[int, int]:
    """Return for each size that of its random groups: the largest size of its class.

    What is lost by chance grows with a group, so a random group is never smaller than a real one.

    >>> classes([20, 24, 26, 40])
    {20: 24, 24: 24, 26: 26, 40: 40}
    """
    found: dict[int, int] = {}
    same: list[int] = []
    for size in sorted(set(sizes)):
        if same and size > WIDTH * same[0]:
            same = []
        same.append(size)
        found |= dict.fromkeys(same, size)
    return found


def at_random(total: int, size: int, rng: np.random.Generator) -> list[Mask]:
    """Return eight random groups of so many of the sentences, (sentences,) each."""
    return [rng.permutation(total) < size for _ in range(RANDOM)]


def counts(lost: Array, by_chance: Array) -> bool:
    """Return whether a group's loss is farther from that of random groups than chance takes it.

    Args:
        lost: by what the margin shrinks without the group, (seeds,).
        by_chance: the same without each random group, (random groups, seeds).

    >>> by_chance = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> counts(np.array([4.0, 4.0]), by_chance), counts(np.array([3.0, 3.0]), by_chance)
    (True, False)
    """
    random = by_chance.mean(axis=1)
    return bool(abs(lost.mean() - random.mean()) > FAR * random.std(ddof=1))


def matched(groups: Mapping[str, Mask], seed: int) -> tuple[dict[str, Mask], dict[str, list[str]]]:
    """Return random groups by name, and for each real group the names of those of its size."""
    rng = np.random.default_rng(seed)
    size_of = {name: int(mask.sum()) for name, mask in groups.items()}
    larger = classes([*size_of.values()])
    random: dict[str, Mask] = {}
    for size in dict.fromkeys(larger.values()):
        total = len(next(iter(groups.values())))
        for i, mask in enumerate(at_random(total, size, rng), 1):
            random[f"{size} random sentences, {i}"] = mask
    return random, {
        name: [f"{larger[size]} random sentences, {i}" for i in range(1, RANDOM + 1)]
        for name, size in size_of.items()
    }
