"""The cache of keys and values, which decoding does not have to compute again."""

from dataclasses import dataclass, field, replace

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


@dataclass
class KeyValues:
    """The keys, (..., h_kv, n, d_k), and values, (..., h_kv, n, d_v), of earlier rows in one layer.

    With a window, only the rows that the next row may attend to are kept; `length` counts all rows.
    """

    K: Array | None = None
    V: Array | None = None
    length: int = 0

    @property
    def kept(self) -> int:
        """The number of rows that are kept."""
        return 0 if self.K is None else int(self.K.shape[-2])

    def extend(self, K: Array, V: Array, *, window: int | None = None) -> tuple[Array, Array]:
        """Append the new keys and values to the cached ones, and return all keys and values."""
        self.length += int(K.shape[-2])
        if self.K is not None and K.shape[-2] == 0:
            return self.K, self.V
        if self.K is not None:
            xp = checks.namespace(K=K)
            K, V = xp.concat([self.K, K], axis=-2), xp.concat([self.V, V], axis=-2)
        first = 0 if window is None else max(0, int(K.shape[-2]) - window + 1)
        self.K, self.V = K[..., first:, :], V[..., first:, :]
        return K, V

    def copy(self) -> "KeyValues":
        """Return a copy that can be extended independently."""
        return replace(self)


@dataclass
class LayerCache:
    """The keys and values that a decoder layer keeps, of its own rows and of the encoder's rows."""

    own: KeyValues = field(default_factory=KeyValues)
    cross: KeyValues = field(default_factory=KeyValues)


@dataclass
class Cache:
    """The keys and values that a decoder keeps, so that a new token needs only one row of work."""

    layers: list[LayerCache]
    memory: Array | None = None  # what the encoder put out, (..., n_source, d_model)
    widths: tuple[int, ...] | None = None  # d_model, h_kv and d_k of the model that fills it

    @classmethod
    def empty(cls, layers: int) -> "Cache":
        """Return the empty cache, before the first token, of a decoder with `layers` layers."""
        return cls([LayerCache() for _ in range(layers)])

    @property
    def length(self) -> int:
        """The number of tokens whose keys and values are kept."""
        return self.layers[0].own.length if self.layers else 0

    def check_grown(self, length: int) -> None:
        """Raise ValueError unless each layer has `length` rows: a layer must call `extend`."""
        lengths = [layer.own.length for layer in self.layers]
        if any(each != length for each in lengths):
            raise ValueError(
                f"cache must have {length} rows in each layer, whose attention calls "
                f"context.cache.extend, got {lengths}"
            )

    def copy(self) -> "Cache":
        """Return an independent cache; the arrays are shared because they never change in place."""
        layers = [LayerCache(layer.own.copy(), layer.cross.copy()) for layer in self.layers]
        return Cache(layers, self.memory, self.widths)
