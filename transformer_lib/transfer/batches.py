"""Batches of the training tasks: texts in, ids and targets out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from transformer_lib.formulas.cross_entropy import cross_entropy
from transformer_lib.model.vocabulary import Vocabulary
from transformer_lib.nn import Transformer
from transformer_lib.pretraining.masking import Masked
from transformer_lib.training.batches import IGNORED, Batch, translation_batch

Words = Sequence[str]


class _Pair(NamedTuple):
    source: Words
    target: Words


def text_ids(texts: Sequence[Words], vocabulary: Vocabulary, length: int | None = None) -> Any:
    """Return texts as rows of ids, <s> before and </s> behind, padded.

    Args:
        texts: each a sequence of words.
        vocabulary: of all words.
        length: of the rows; as long as the longest text needs unless given.

    Raises:
        ValueError: a word is not in the vocabulary, or a text is too long.

    >>> text_ids([["a", "b"], ["b"]], Vocabulary(["a", "b"])).tolist()
    [[2, 4, 5, 3], [2, 5, 3, 1]]
    """
    rows = [vocabulary.encode(text, start=True, end=True, known_only=True) for text in texts]
    return np.array(vocabulary.pad(rows, length))


def masked_batch(read: Masked) -> Batch:
    """Return what `mask_tokens` gives as a batch of an encoder."""
    return Batch(torch.from_numpy(read.ids), torch.from_numpy(read.targets))


def label_batch(texts: Sequence[Words], labels: Sequence[int], vocabulary: Vocabulary) -> Batch:
    """Return texts with one class each; the targets are (batch,).

    Raises:
        ValueError: as `text_ids`, or there are not as many labels as texts.
    """
    if len(texts) != len(labels):
        raise ValueError(f"labels must be one per text, got {len(labels)} for {len(texts)}")
    return Batch(torch.from_numpy(text_ids(texts, vocabulary)), torch.tensor(labels))


def tag_batch(
    texts: Sequence[Words], tags: Sequence[Sequence[int]], vocabulary: Vocabulary
) -> Batch:
    """Return texts with a tag for each word; <s>, </s> and padding have none.

    Raises:
        ValueError: as `text_ids`, or there are not as many tags as words.

    >>> tag_batch([["a", "b"], ["b"]], [[0, 1], [1]], Vocabulary(["a", "b"])).targets.tolist()
    [[-100, 0, 1, -100], [-100, 1, -100, -100]]
    """
    if [len(text) for text in texts] != [len(each) for each in tags]:
        raise ValueError("tags must be one for each word of each text")
    ids = text_ids(texts, vocabulary)
    targets = np.full(ids.shape, IGNORED)
    for row, each in zip(targets, tags, strict=True):
        row[1 : len(each) + 1] = each
    return Batch(torch.from_numpy(ids), torch.from_numpy(targets))


def source_batch(examples: Sequence[tuple[Words, Words]], vocabulary: Vocabulary) -> Batch:
    """Return sources and targets as a batch of an encoder-decoder with one vocabulary.

    Raises:
        ValueError: there is no example, or a word is not in the vocabulary.
    """
    pairs = [_Pair(source, target) for source, target in examples]
    return translation_batch(pairs, vocabulary, vocabulary)


def two_tasks(masked: Batch, follows: Sequence[bool]) -> Batch:
    """Return a masked batch that also asks, at <s>, whether the second sentence follows.

    Source: Devlin et al. (2019), section 3.1, task 2.
    """
    targets = masked.targets.clone()
    targets[:, 0] = torch.tensor(follows, dtype=targets.dtype)
    return Batch(masked.ids, targets)


def two_task_loss(model: Transformer, batch: Batch) -> torch.Tensor:
    """Return the mean loss of the masked words plus that of the next sentence, of `two_tasks`.

    Args:
        model: an encoder with two classes.
        batch: whose first targets are classes.

    Source: Devlin et al. (2019), appendix A.2.
    """
    padding = model.config.padding_id
    seen = None if padding is None else batch.ids.ne(padding)[:, None, :]
    hidden = model.encoder(model.embedding(batch.ids), seen)
    words = model.head(hidden[:, 1:], tokens=model.embedding.tokens)
    loss: torch.Tensor = cross_entropy(words, batch.targets[:, 1:], ignore_index=IGNORED)
    follows: torch.Tensor = cross_entropy(model.classifier(hidden), batch.targets[:, 0])
    return loss + follows
