"""The pairs by how frequent they are, with a rule for ties."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Pair = tuple[int, int]


class PairQueue:
    """Gives the most frequent pair; an entry is checked against the counts when its turn comes.

    Args:
        counts: how often each pair stands in the text now; it changes while the queue is in use.
        vocabulary: the bytes of each token, which may grow.
        greatest: of equally frequent pairs the greatest by its bytes, and not that of lowest ids.

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
        """Say that these pairs are more frequent now; of the others some may be less."""
        for pair in pairs:
            heapq.heappush(self.heap, self._entry(pair))

    def pop(self) -> Pair | None:
        """Take out the most frequent pair, or None where no pair is left."""
        while self.heap:
            count, _, pair = self.heap[0]
            now = self.counts.get(pair, 0)
            if now == -count:
                heapq.heappop(self.heap)
                if now:
                    return pair
            elif now:
                heapq.heapreplace(self.heap, self._entry(pair))
            else:
                heapq.heappop(self.heap)
        return None

    def _entry(self, pair: Pair) -> tuple[int, Any, Pair]:
        key = tuple(map(self._falling, pair)) if self.greatest else pair
        return -self.counts[pair], key, pair

    def _falling(self, token: int) -> str:
        """Return what sorts the other way round than the bytes of a token."""
        # The end counts as more than any byte, so that ab, the greater one, comes before a.
        return "".join(chr(255 - byte) for byte in self.vocabulary[token]) + "\u0100"
