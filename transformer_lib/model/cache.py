"""The cache: the keys and values that decoding need not compute again."""

from dataclasses import dataclass, field, replace

from transformer_lib.formulas.checks import Array


@dataclass
class KeyValues:
    """What one attention has computed of earlier rows: (..., h, n, d_k) and (..., h, n, d_v)."""

    K: Array | None = None
    V: Array | None = None

    @property
    def past(self) -> tuple[Array, Array] | None:
        """Both arrays, or None before the first row."""
        return None if self.K is None or self.V is None else (self.K, self.V)

    def keep(self, K: Array, V: Array) -> None:
        """Keep the keys and values of all rows up to now."""
        self.K, self.V = K, V


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

    @classmethod
    def empty(cls, layers: int) -> "Cache":
        """Return the cache before the first token, of a decoder with so many layers."""
        return cls([LayerCache() for _ in range(layers)])

    @property
    def length(self) -> int:
        """The number of tokens whose keys and values are kept."""
        K = self.layers[0].own.K if self.layers else None
        return 0 if K is None else int(K.shape[-2])

    def copy(self) -> "Cache":
        """Return a cache that goes on alone; the arrays are shared, and never changed in place."""
        layers = [LayerCache(replace(layer.own), replace(layer.cross)) for layer in self.layers]
        return Cache(layers, self.memory)
