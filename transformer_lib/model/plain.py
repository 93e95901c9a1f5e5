"""A model of plain arrays: the same parts as the torch modules, bound to a dictionary by name."""

from collections.abc import Callable
from typing import NamedTuple

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.record import Record, ignore, under
from transformer_lib.model import block, model
from transformer_lib.model.block import EXPLICIT, Kernels
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import (
    Parameters,
    Shape,
    attention_shapes,
    classifier_shapes,
    embedding_shapes,
    feed_forward_shapes,
    head_shapes,
    norm_shapes,
    relative_shapes,
    take,
)


class Plain:
    """The counterpart of torch's `nn.Module`: it has arrays by name, and a call runs `forward`."""

    dropout: Callable[[Array], Array] | None = None
    forward: Callable[..., Array]

    def __init__(self, of: "Bound", name: str, shapes: dict[str, Shape] | None = None) -> None:
        self.config, self.kernels = of.config, of.kernels
        self.record = of.record if of.record is ignore else under(of.record, name)
        self._arrays = take(of.parameters, shapes or {}, of.prefix + name)
        vars(self).update(self._arrays)

    def arrays(self) -> dict[str, Array]:
        """Return the arrays of this part by name."""
        return self._arrays

    def check_dtype(self, **rows: Array | None) -> None:
        """Refuse nothing: NumPy converts rows of another dtype."""

    def __init_subclass__(cls) -> None:
        cls.__call__ = cls.forward  # type: ignore[method-assign]


class Bound(NamedTuple):
    """The parameters, the prefix of their names, the kernels, and the record of a plain model."""

    parameters: Parameters
    config: Configuration
    kernels: Kernels = EXPLICIT
    record: Record = ignore
    prefix: str = ""


class Attention(Plain, block.Attention):
    """Attention on plain arrays."""


class FeedForward(Plain, block.FeedForward):
    """A feed-forward network on plain arrays."""


class Norm(Plain, block.Norm):
    """A norm on plain arrays."""


class Block(Plain, block.Block):
    """One layer on plain arrays."""

    def __init__(self, of: Bound, name: str = "", *, cross: bool = False) -> None:
        super().__init__(of, name)
        norm = norm_shapes(of.config)
        for part in ("self_attention", "cross_attention")[: 1 + cross]:
            attention = Attention(of, f"{name}{part}.", attention_shapes(of.config))
            setattr(self, part, attention)
            setattr(self, f"{part}_norm", Norm(of, f"{name}{part}_norm.", norm))
        self.feed_forward = FeedForward(of, f"{name}feed_forward.", feed_forward_shapes(of.config))
        self.feed_forward_norm = Norm(of, f"{name}feed_forward_norm.", norm)


class Stack(Plain, block.Stack):
    """An encoder or a decoder on plain arrays."""

    def __init__(self, of: Bound, name: str, *, sees_all: bool, cross: bool = False) -> None:
        super().__init__(of, name, relative_shapes(of.config))
        self.sees_all = sees_all
        layers = range(of.config.layers)
        self.layers = [Block(of, f"{name}layers.{i}.", cross=cross) for i in layers]
        last = of.config.place == "pre"
        self.norm = Norm(of, f"{name}norm.", norm_shapes(of.config)) if last else None


class Embedding(Plain, model.Embedding):
    """An embedding on plain arrays."""

    def __init__(self, of: Bound, name: str = "embedding.") -> None:
        super().__init__(of, name, embedding_shapes(of.config, name))
        normed = of.config.embedding_norm
        explicit = of._replace(kernels=EXPLICIT)
        self.norm = Norm(explicit, f"{name}norm.", norm_shapes(of.config)) if normed else None


class Head(Plain, model.Head):
    """A head on plain arrays."""

    def __init__(self, of: Bound) -> None:
        super().__init__(of, "head.", head_shapes(of.config))
        normed = of.config.head_transform
        explicit = of._replace(kernels=EXPLICIT)
        self.norm = Norm(explicit, "head.norm.", norm_shapes(of.config)) if normed else None


class Classifier(Plain, model.Classifier):
    """A classifier on plain arrays."""


class Model(Plain, model.Model):
    """A model on plain arrays."""

    def __init__(self, of: Bound) -> None:
        super().__init__(of, "")
        self._named = of.parameters.items
        config = of.config
        self.embedding = Embedding(of)
        if config.has_source_embedding:
            self.source_embedding = Embedding(of, "source_embedding.")
        if config.has_encoder:
            self.encoder = Stack(of, "encoder.", sees_all=True)
        if config.has_decoder:
            cross = config.has_encoder
            self.decoder = Stack(of, "decoder.", sees_all=False, cross=cross)
        self.head = Head(of)
        if config.classes:
            self.classifier = Classifier(of, "classifier.", classifier_shapes(config))
