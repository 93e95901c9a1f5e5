"""The fact language: who eats what on which day, which nothing but memory can tell."""

import bisect
import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from transformer_lib.decoding.draw import generator
from transformer_lib.formulas import checks
from transformer_lib.model.vocabulary import Vocabulary

NAMES = [a + b for a in "Ba Da Fa Ga Ka La Ma Na".split() for b in "bi lo mu no ra ta".split()]
DAYS = [f"day-{i}" for i in range(1, 49)]
DISHES = """
    beans bread cake corn eggs figs fish kale leeks limes nuts oats pasta pears peas peppers
    pie pizza plums radish rice rolls salad soup stew sushi tacos tarts tea toast tofu yams
""".split()
TOKENS = 4  # of a sentence: three words and </s>


class FactLanguage:
    """Sentences of a name, a day and a dish; each name has one dish a day, and no rule says which.

    Names and days are drawn apart, the r-th of each with a probability proportional to 1 / r. So a
    few facts are met again and again, and most of them rarely.

    Args:
        names: how many names there are, from 1 to 48.
        days: how many days there are, from 1 to 48.
        seed: of the dishes.

    Raises:
        ValueError: an argument is out of its range.

    Source: Zipf (1949), "Human behavior and the principle of least effort", for the probabilities;
    Hutter (2021), "Learning curve theory", section 3, for a loss that falls as such facts are met.

    >>> language = FactLanguage(names=2, days=2)
    >>> for words, p in language.sentences():
    ...     print(" ".join(words), round(p, 4))
    Babi day-1 tarts 0.4444
    Babi day-2 rice 0.2222
    Balo day-1 pie 0.2222
    Balo day-2 leeks 0.1111
    """

    def __init__(self, names: int = 48, days: int = 48, seed: int = 0) -> None:
        checks.count(1, names=names, days=days)
        checks.count(0, seed=seed)
        if max(names, days) > len(NAMES):
            raise ValueError(f"names and days must be at most {len(NAMES)}, got {names} and {days}")
        self.names, self.days = NAMES[:names], DAYS[:days]
        self.vocabulary = Vocabulary([*self.names, *self.days, *DISHES])
        chosen = np.random.default_rng(seed).integers(len(DISHES), size=(names, days))
        pairs = itertools.product(self.names, self.days)
        self.dish = {pair: DISHES[i] for pair, i in zip(pairs, chosen.flat, strict=True)}
        self._cumulative = [np.cumsum(_zipf(n)).tolist() for n in (names, days)]
        self._seed = seed

    def __repr__(self) -> str:
        return f"FactLanguage(names={len(self.names)}, days={len(self.days)}, seed={self._seed})"

    def sample(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Draw a sentence.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        generator(rng)
        name, day = (
            words[bisect.bisect_right(upto, rng.random() * upto[-1])]
            for words, upto in zip((self.names, self.days), self._cumulative, strict=True)
        )
        return name, day, self.dish[name, day]

    def sentences(self) -> list[tuple[tuple[str, ...], float]]:
        """Return all sentences, each with its probability."""
        chances = itertools.product(_zipf(len(self.names)), _zipf(len(self.days)))
        return [
            ((*pair, dish), float(p * q))
            for (pair, dish), (p, q) in zip(self.dish.items(), chances, strict=True)
        ]

    def entropy(self) -> float:
        """Return the entropy of a sentence in nats, that of name and day: the dish adds none."""
        return _entropy(_zipf(len(self.names))) + _entropy(_zipf(len(self.days)))

    def entropy_per_token(self) -> float:
        """Return the entropy in nats per token, </s> counted: the least loss of any model."""
        return self.entropy() / TOKENS


def _zipf(count: int) -> NDArray[np.float64]:
    weights = 1 / np.arange(1, count + 1, dtype=np.float64)
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances


def _entropy(chances: Sequence[float] | NDArray[np.float64]) -> float:
    return -math.fsum(p * math.log(p) for p in chances)
