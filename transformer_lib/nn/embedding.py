"""Where tokens come in and go out: the embedding and the head, with their parameters."""

from typing import Any

import torch
from torch import nn

from transformer_lib.formulas.record import all_of
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.embedding import embedding_of
from transformer_lib.model.parameters import classifier_shapes, embedding_shapes, head_shapes
from transformer_lib.model.sublayers import classifier_of, head_of
from transformer_lib.nn.initialization import Seed
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.nn.sublayers import Norm


class Embedding(Parametrized):
    """Looks tokens up and adds positions where the configuration adds them here.

    Args:
        config: the shape of the model.
        source: whether this reads the encoder's own vocabulary.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(
        self, config: Configuration, *, source: bool = False, seed: Seed = 0, **options: Any
    ) -> None:
        prefix = "source_embedding." if source else "embedding."
        super().__init__(config, embedding_shapes(config, prefix), seed, **options)
        self.norm = Norm(config, **options) if config.embedding_norm else None
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        ids: torch.Tensor,
        *,
        offset: int = 0,
        positions: torch.Tensor | None = None,
        types: torch.Tensor | None = None,
        tokens: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return embedded ids, (..., n, d_model).

        Args:
            ids: token ids, (..., n).
            offset: the position of the first id, from which the others count on.
            positions: the position of each id in the place of that, (..., n).
            types: the type of each id, (..., n), where there are types; all 0 unless given.
            tokens: the embedding matrix, of a source that shares it with the target.

        Raises:
            ValueError: as `embedding_steps`.
        """
        where: dict[str, Any] = {"offset": offset, "positions": positions, "types": types}
        then: dict[str, Any] = {"norm": self.norm, "dropout": self.dropout}
        steps = embedding_of(self.arrays(), self.config, ids, tokens=tokens, **where, **then)
        output: torch.Tensor = all_of(self.record, steps)
        return output


class Head(Parametrized):
    """Scores every token of the vocabulary; a tied head holds nothing and uses the embedding.

    Args:
        config: the shape of the model.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, head_shapes(config), seed, **options)
        self.norm = Norm(config, **options) if config.head_transform else None

    def forward(self, hidden: torch.Tensor, tokens: torch.Tensor | None = None) -> torch.Tensor:
        """Return logits, (..., n, V).

        Args:
            hidden: the last rows of the stack, (..., n, d_model).
            tokens: the embedding matrix, (V, d_model), for a tied head.

        Raises:
            ValueError: the head is tied and there are no tokens.
        """
        scores: torch.Tensor = head_of(self.arrays(), self.config, hidden, tokens, norm=self.norm)
        return scores


class Classifier(Parametrized):
    """Scores every class of a whole text by its first row.

    Args:
        config: the shape of an encoder with classes.
        seed: an integer or a generator.
        options: `device` and `dtype` of the parameters.
    """

    def __init__(self, config: Configuration, *, seed: Seed = 0, **options: Any) -> None:
        super().__init__(config, classifier_shapes(config), seed, **options)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return scores, (..., classes), of texts whose last rows are hidden, (..., n, d_model)."""
        scores: torch.Tensor = classifier_of(self.arrays(), self.config, hidden)
        return scores
