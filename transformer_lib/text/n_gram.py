"""An n-gram model: counts of the tokens after each context, with shorter contexts as backup."""

import numpy as np
from jaxtyping import Float, Integer

from transformer_lib.formulas import checks as range_checks

Ids = Integer[np.ndarray, " n"]
UNSEEN = -1  # the place of a context that the text does not hold


class NGramModel:
    """A model that predicts the next token from counts, interpolated over all orders.

    A fixed discount D is subtracted from each count, and the total subtracted in a context is
    redistributed over all tokens by the probabilities given the context without its first token.
    The lowest order, below single tokens, is the uniform distribution:

    P(b | context) = (max(c(context b) - D, 0) + D k(context) P(b | shorter)) / c(context)

    Here c is the count in the text, and k(context) is the number of different tokens seen after the
    context. If a context does not occur in the text, the shorter one is used instead.

    Args:
        ids: the ids of the text in which n-grams are counted, (n,).
        order: the number of tokens of the longest n-gram counted; 1 uses no context.
        vocabulary_size: V, the number of tokens in the vocabulary.
        discount: D, above 0 and at most 1.

    Raises:
        ValueError: ids is not an array with one axis of ids below vocabulary_size, or is empty, or
            a number is out of its range.

    Source: Ney, Essen, Kneser (1994), "On structuring probabilistic dependences in stochastic
    language modelling", section 3, absolute discounting with interpolation.

    >>> model = NGramModel(np.array([0, 1, 0, 1, 0, 2]), order=2, vocabulary_size=4, discount=0.5)
    >>> model.probabilities(np.array([0, 1])).round(4)
    array([0.4792, 0.6042])
    """

    def __init__(
        self, ids: Ids, *, order: int, vocabulary_size: int, discount: float = 0.75
    ) -> None:
        range_checks.count(1, order=order, vocabulary_size=vocabulary_size)
        range_checks.positive(discount=discount)
        if discount > 1:
            raise ValueError(f"discount must be at most 1, got {discount}")
        self.order, self.vocabulary_size, self.discount = order, vocabulary_size, discount
        known = self._checked(ids)
        if not len(known):
            raise ValueError("ids must contain at least one token to count, got none")
        # `_grams[n - 1]` holds each n-gram of the text once, as the place of its first n - 1 tokens
        # in the table before, times V, plus its last token. That takes 64 bits, also in a browser,
        # where numpy's own integers, its indices too, have 32.
        self._grams: list[np.ndarray] = []
        self._counts: list[np.ndarray] = []
        self._totals: list[np.ndarray] = []
        self._kinds: list[np.ndarray] = []
        places = np.zeros(len(known), np.int64)
        for n in range(min(order, len(known))):
            codes = places[: len(known) - n] * vocabulary_size + known[n:]
            grams, here, counts = np.unique(codes, return_inverse=True, return_counts=True)
            contexts = len(self._grams[-1]) if n else 1
            before = (grams // vocabulary_size).astype(np.intp)
            self._grams.append(grams)
            self._counts.append(counts)
            self._totals.append(np.bincount(before, counts, minlength=contexts))
            self._kinds.append(np.bincount(before, minlength=contexts))
            places = here.reshape(-1)[:-1].astype(np.int64)

    def probabilities(self, ids: Ids) -> Float[np.ndarray, " n"]:
        """Return the probability of each token of a text, given the tokens before it.

        Args:
            ids: the ids of the text, (n,); the first tokens have a shorter context.

        Raises:
            ValueError: ids is not an array with one axis of ids below vocabulary_size.
        """
        new = self._checked(ids)
        found = np.full(len(new), 1 / self.vocabulary_size)
        places = np.zeros(len(new), np.int64)
        for n in range(min(len(self._grams), len(new))):
            context = places[: len(new) - n]
            codes = context * self.vocabulary_size + new[n:]
            places = self._places(n, codes, context)
            found[n:] = self._interpolated(n, context, places, found[n:])
            places = places[:-1]
        return found

    def next_probabilities(self, context: Ids) -> Float[np.ndarray, " V"]:
        """Return the probability of every token after a context.

        Args:
            context: ids of the text so far, (n,); only the last order - 1 of them are used.

        Raises:
            ValueError: for the same reasons as `probabilities`.
        """
        last = self._checked(context)[max(0, len(context) - self.order + 1) :]
        every = np.arange(self.vocabulary_size, dtype=np.int64)
        found = np.full(self.vocabulary_size, 1 / self.vocabulary_size)
        places = np.zeros(len(last) + 1, np.int64)
        for n in range(min(len(self._grams), len(last) + 1)):
            before = np.full(self.vocabulary_size, places[-1])
            codes = before * self.vocabulary_size + every
            found = self._interpolated(n, before, self._places(n, codes, before), found)
            codes = places[:-1] * self.vocabulary_size + last[n:]
            places = self._places(n, codes, places[:-1])
        return found

    def _places(self, n: int, codes: np.ndarray, context: np.ndarray) -> np.ndarray:
        """Return the index of each n-gram in its table, or UNSEEN."""
        table = self._grams[n]
        at = np.searchsorted(table, codes).clip(max=len(table) - 1)
        found = (table[at] == codes) & (context != UNSEEN)
        return np.where(found, at, UNSEEN).astype(np.int64)

    def _interpolated(
        self, n: int, context: np.ndarray, places: np.ndarray, shorter: np.ndarray
    ) -> np.ndarray:
        counts = np.where(places == UNSEEN, 0, self._counts[n][places])
        totals = np.where(context == UNSEEN, 0, self._totals[n][context])
        kept = np.maximum(counts - self.discount, 0) + (
            self.discount * self._kinds[n][context] * shorter
        )
        return np.where(totals > 0, kept / np.maximum(totals, 1), shorter)

    def _checked(self, ids: Ids) -> np.ndarray:
        if not isinstance(ids, np.ndarray) or ids.ndim != 1 or ids.dtype.kind not in "iu":
            raise ValueError(f"ids must be a numpy array of integers of one axis, got {ids!r:.80}")
        if len(ids) and not (ids.min() >= 0 and ids.max() < self.vocabulary_size):
            raise ValueError(
                f"ids must be from 0 to {self.vocabulary_size - 1}, "
                f"got {ids.min()} to {ids.max()}: are they of another tokenizer?"
            )
        return ids.astype(np.int64)
