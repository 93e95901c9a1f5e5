"""The models of a training text without each of its groups, trained once and then asked."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from course.influence import control
from course.influence.groups import Mask, groups
from course.influence.pair import Pair, margin
from course.influence.without import SEEDS, without
from course.languages.own import OwnLanguage
from course.small_decoder import Array, Arrays
from course.train_view import Words

WHOLE = "nothing"
"""The name of what is left out of the whole text."""


class Influence(NamedTuple):
    """What the margin of a pair is, and by how much it shrinks without each group."""

    whole: Array
    """The margin when nothing is left out, (seeds,)."""
    lost: dict[str, Array]
    """By the name of a group, (seeds,)."""
    by_chance: dict[str, Array]
    """By the name of a group, what random groups of its size lose, (random groups, seeds)."""

    @property
    def learned(self) -> bool:
        """Whether the right word is expected more with each seed."""
        return bool((self.whole > 0).all())

    @property
    def counting(self) -> list[str]:
        """The groups that count."""
        return [n for n, each in self.lost.items() if control.counts(each, self.by_chance[n])]


class Trainings:
    """The models of a text: with nothing left out, without each group, and without random ones.

    Args:
        language: whose rules make the sentences.
        sentences: the training text.
        seed: draws the random groups.

    Raises:
        ValueError: a sentence is none of the language.
    """

    def __init__(self, language: OwnLanguage, sentences: Sequence[Words], seed: int = 0) -> None:
        self.language, self.sentences = language, [tuple(each) for each in sentences]
        self.groups = groups(language, self.sentences)
        random, self.matched = control.matched(self.groups, seed)
        masks = {WHOLE: np.zeros(len(self.sentences), bool)} | random | self.groups
        # Each group follows the random ones of its size, so that it is answered at once.
        order = [n for name in self.groups for n in (*self.matched[name], name)]
        self.masks: dict[str, Mask] = {n: masks[n] for n in dict.fromkeys((WHOLE, *order))}
        self.models: dict[str, list[Arrays]] = {name: [] for name in self.masks}
        self._margins: dict[Pair, dict[str, Array]] = {}

    @property
    def total(self) -> int:
        """How many trainings there are in all."""
        return len(self.masks) * len(SEEDS)

    @property
    def done(self) -> int:
        """How many trainings are done."""
        return sum(map(len, self.models.values()))

    @property
    def ready(self) -> list[str]:
        """The groups that are trained, as are the random ones of their size."""
        return [n for n in self.groups if all(map(self._is_done, (n, *self.matched[n])))]

    def train(self) -> Iterator[int]:
        """Train what is not trained yet, and give how many are done after each training."""
        for name, models in self.models.items():
            for seed in SEEDS[len(models) :]:
                out = self.masks[name]
                models.append(without(self.language.vocabulary, self.sentences, out, seed))
                yield self.done

    def influence(self, pair: Pair) -> Influence:
        """Return what is known of a pair: of each group that is trained, as its random ones are.

        Raises:
            ValueError: not even the models with nothing left out are trained.
        """
        if not self._is_done(WHOLE):
            raise ValueError("Nothing is trained yet.")
        words, margins = self.language.vocabulary, self._margins.setdefault(pair, {})
        for name, models in self.models.items():
            if name not in margins and self._is_done(name):
                margins[name] = np.array([margin(T, words, pair) for T in models])
        lost = {name: margins[WHOLE] - each for name, each in margins.items()}
        chance = {n: np.array([lost[each] for each in self.matched[n]]) for n in self.ready}
        return Influence(margins[WHOLE], {name: lost[name] for name in self.ready}, chance)

    def _is_done(self, name: str) -> bool:
        return len(self.models[name]) == len(SEEDS)
