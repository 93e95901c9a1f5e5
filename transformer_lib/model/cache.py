"""The cache: the keys and values that decoding need not compute again."""

from dataclasses import dataclass, field, replace

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array


@dataclass
class KeyValues:
    """What one attention has computed of earlier rows: (..., h_kv, n, d_k) and (..., h_kv, n, d_v).

    Of a window only the rows are kept that the next one may attend to; `length` counts all.
    """

    K: Array | None = None
    V: Array | None = None
    length: int = 0

    @property
    def kept(self) -> int:
        """The number of rows that are kept."""
        return 0 if self.K is None else int(self.K.shape[-2])

    def extend(self, K: Array, V: Array, *, window: int | None = None) -> tuple[Array, Array]:
        """Return the keys and values of all rows, those kept and the new ones, and keep them."""
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
        """Return keys and values that go on alone."""
        return replace(self)


@dataclass
class LayerCache:
    """What one layer of a decoder keeps: of its own rows, and of the encoder's."""

    own: KeyValues = field(default_factory=KeyValues)
    cross: KeyValues = field(default_factory=KeyValues)


@dataclass
class Cache:
    """What a decoder keeps, so that one more token needs one more row of work."""

    layers: list[LayerCache]
    memory: Array | None = None  # what the encoder put out, (..., n_source, d_model)
    widths: tuple[int, ...] | None = None  # d_model, h_kv and d_k of the model that fills it

    @classmethod
    def empty(cls, layers: int) -> "Cache":
        """Return the cache before the first token, of a decoder with so many layers."""
        return cls([LayerCache() for _ in range(layers)])

    @property
    def length(self) -> int:
        """The number of tokens whose keys and values are kept."""
        return self.layers[0].own.length if self.layers else 0

    def check_grown(self, length: int) -> None:
        """Raise ValueError unless each layer has so many rows: one's own must call `extend`."""
        lengths = [layer.own.length for layer in self.layers]
        if any(each != length for each in lengths):
            raise ValueError(
                f"cache must have {length} rows in each layer, whose attention calls "
                f"context.cache.extend, got {lengths}"
            )

    def copy(self) -> "Cache":
        """Return a cache that goes on alone; the arrays are shared, and never changed in place."""
        layers = [LayerCache(layer.own.copy(), layer.cross.copy()) for layer in self.layers]
        return Cache(layers, self.memory, self.widths)
