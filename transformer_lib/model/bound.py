"""The parts of a model in numpy: functions bound to a dictionary of parameters."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.multi_head import Attend
from transformer_lib.formulas.record import Record, all_of, under
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.embedding import embedding_steps
from transformer_lib.model.parameters import (
    Parameters,
    classifier_shapes,
    embedding_shapes,
    head_shapes,
    norm_shapes,
    take,
)
from transformer_lib.model.stack import decoder, encoder
from transformer_lib.model.sublayers import classifier_of, head_of, norm_of


@dataclass
class Bound:
    """The parts of a model as functions bound to a dictionary of parameters."""

    embedding: Any
    source_embedding: Any
    encoder: Any
    decoder: Any
    head: Any
    classifier: Any


@dataclass
class _Embed:
    """The embedding of a dictionary of parameters, with the table that a tied head shares."""

    parameters: Parameters
    config: Configuration
    prefix: str
    record: Record

    @property
    def tokens(self) -> Array:
        shapes = embedding_shapes(self.config, self.prefix)
        return take(self.parameters, shapes, self.prefix)["tokens"]

    def __call__(self, ids: Array, **options: Any) -> Array:
        steps = embedding_steps(self.parameters, self.config, ids, prefix=self.prefix, **options)
        return all_of(under(self.record, self.prefix), steps)


def bound(
    parameters: Parameters, config: Configuration, attend: Attend | None, record: Record
) -> Bound:
    """Return the parts of a model, each a function of its inputs alone."""
    stacks: dict[str, Any] = {"attend": attend, "record": record}
    norm = None
    if config.head_transform:
        norm = partial(norm_of, take(parameters, norm_shapes(config), "head.norm."), config)
    return Bound(
        _Embed(parameters, config, "embedding.", record),
        _Embed(parameters, config, "source_embedding.", record),
        partial(encoder, parameters, config, **stacks),
        partial(decoder, parameters, config, **stacks),
        partial(head_of, take(parameters, head_shapes(config), "head."), config, norm=norm),
        partial(classifier_of, take(parameters, classifier_shapes(config), "classifier."), config),
    )
