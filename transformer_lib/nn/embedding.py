"""The two ends of a model, the embedding and the head, with their parameters."""

from functools import partial
from typing import Any

from torch import nn

from transformer_lib.model import model
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.parameters import classifier_shapes, embedding_shapes, head_shapes
from transformer_lib.nn.block import Norm
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized


class Embedding(model.Embedding, Parametrized):
    """Looks up token vectors and adds positions if the configuration adds them here.

    Args:
        config: the shape of the model.
        source: whether the ids are of the encoder's own vocabulary.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self, config: Configuration, *, source: bool = False, seed: Seed = 0, **options: Any
    ) -> None:
        prefix = "source_embedding." if source else "embedding."
        super().__init__(config, partial(embedding_shapes, prefix=prefix), seed, **options)
        self.norm = Norm(config, **options) if config.embedding_norm else None
        self.dropout = nn.Dropout(config.dropout)


class Head(model.Head, Parametrized):
    """Scores every token of the vocabulary; a tied head has no matrix and uses the embedding's.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, head_shapes, seed, **options)
        self.norm = Norm(config, **options) if config.head_transform else None


class Classifier(model.Classifier, Parametrized):
    """Scores every class of a whole sequence by the vector of its first position.

    Args:
        config: the shape of an encoder with classes.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, classifier_shapes, seed, **options)
