"""A queue of pairs ordered by frequency, with a rule for ties."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Pair = tuple[int, int]


class PairQueue:
    """A queue that returns the most frequent pair, checking each entry against the counts first.

    Args:
        counts: how often each pair occurs in the text now; it changes while the queue is in use.
        vocabulary: the bytes of each token; it may grow.
        greatest: among equally frequent pairs, choose the greatest by its bytes instead of the one
            with the lowest ids.

    >>> PairQueue({(0, 1): 3, (2, 0): 3}, [b"a", b"b", b"c"], greatest=True).pop()
    (2, 0)
    """

    def __init__(
        self, counts: Mapping[Pair, int], vocabulary: Sequence[bytes], *, greatest: bool
    ) -> None:
        self.counts, self.vocabulary, self.greatest = counts, vocabulary, greatest
        self.heap: list[tuple[int, Any, Pair]] = [self._entry(pair) for pair in counts]
        heapq.heapify(self.heap)

    def push(self, pairs: Iterable[Pair]) -> None:
        """Add pairs whose frequency has grown; other pairs may have become less frequent."""
        for pair in pairs:
            heapq.heappush(self.heap, self._entry(pair))

    def pop(self) -> Pair | None:
        """Remove and return the most frequent pair, or return None if no pair is left."""
        while self.heap:
            count, _, pair = heapq.heappop(self.heap)
            now = self.counts.get(pair, 0)
            if now and now == -count:
                return pair
            if now:
                heapq.heappush(self.heap, self._entry(pair))
        return None

    def _entry(self, pair: Pair) -> tuple[int, Any, Pair]:
        key = tuple(map(self._falling, pair)) if self.greatest else pair
        return -self.counts[pair], key, pair

    def _falling(self, token: int) -> str:
        """Return what sorts the other way round than the bytes of a token."""
        # The end counts as more than any byte, so that ab, the greater one, comes before a.
        return "".join(chr(255 - byte) for byte in self.vocabulary[token]) + "\u0100"
