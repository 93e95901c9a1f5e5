"""A cache whose memory is allocated once, for generation with a known greatest length."""

from dataclasses import dataclass

import torch

from transformer_lib.model.cache import Cache, KeyValues, LayerCache


@dataclass
class Reserved(KeyValues):
    """Keys and values in two arrays that are written in place.

    With a window, the arrays have room for twice its rows. Whenever they are full, the rows that
    the next one may attend to are moved to the front.

    Args:
        size: the greatest number of rows that the cache will hold.
    """

    size: int = 0
    end: int = 0
    room: tuple[torch.Tensor, ...] = ()

    def extend(
        self, K: torch.Tensor, V: torch.Tensor, *, window: int | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add new keys and values, and return those of all rows that are kept.

        Raises:
            ValueError: the cache has no room for the new rows.
        """
        n = K.shape[-2]
        self.length += n
        if self.length > self.size:
            raise ValueError(f"the cache has room for {self.size} rows, got {self.length}")
        if not self.room:
            rows = self.size if window is None else min(self.size, 2 * window)
            self.room = tuple(x.new_empty(*x.shape[:-2], rows, x.shape[-1]) for x in (K, V))
        whole = self._write(K, V) if self.end + n <= self.rows else self._move(K, V)
        self.K, self.V = whole if window is None else tuple(_last(x, window - 1) for x in whole)
        return whole

    @property
    def rows(self) -> int:
        """The number of rows that the arrays have room for."""
        return int(self.room[0].shape[-2])

    def _write(self, K: torch.Tensor, V: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        n, first = K.shape[-2], self.end - self.kept
        to_K, to_V = self.room
        # `narrow` is a slice whose bounds torch need not read from Python's.
        to_K.narrow(-2, self.end, n).copy_(K)
        to_V.narrow(-2, self.end, n).copy_(V)
        self.end += n
        return to_K.narrow(-2, first, self.end - first), to_V.narrow(-2, first, self.end - first)

    def _move(self, K: torch.Tensor, V: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        past = [] if self.K is None else [(self.K, self.V)]
        whole = [torch.cat(pair, dim=-2) for pair in zip(*past, (K, V), strict=True)]
        self.end = min(whole[0].shape[-2], self.rows)
        for room, x in zip(self.room, whole, strict=True):
            room[..., : self.end, :] = x[..., x.shape[-2] - self.end :, :]
        return whole[0], whole[1]

    def pick(self, rows: torch.Tensor) -> None:
        """Let row i of the batch continue from what row rows[i] has kept."""
        for room in self.room:
            room[..., : self.end, :] = room[rows][..., : self.end, :]

    def copy(self) -> "Reserved":
        """Return a copy of the keys and values, in memory of its own."""
        room = tuple(x.clone() for x in self.room)
        other = Reserved(None, None, self.length, self.size, self.end, room)
        if room:
            other.K, other.V = (x[..., self.end - self.kept : self.end, :] for x in room)
        return other


def _last(x: torch.Tensor, rows: int) -> torch.Tensor:
    """Return the last rows of x, or all of them where there are fewer."""
    return x[..., max(0, x.shape[-2] - rows) :, :]


def reserved_cache(layers: int, length: int) -> Cache:
    """Return an empty cache for a decoder of `layers` layers, with room for `length` own rows."""
    return Cache([LayerCache(own=Reserved(size=length)) for _ in range(layers)])
