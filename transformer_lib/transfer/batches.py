"""Batches of the training tasks, which turn texts into ids and targets."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from transformer_lib.formulas.cross_entropy import cross_entropy
from transformer_lib.model.vocabulary import Vocabulary
from transformer_lib.nn import Transformer
from transformer_lib.pretraining.masking import Masked
from transformer_lib.pretraining.spans import Corrupted
from transformer_lib.training.batches import IGNORED, Batch, translation_batch

Words = Sequence[str]


def text_ids(texts: Sequence[Words], vocabulary: Vocabulary, length: int | None = None) -> Any:
    """Return texts as padded rows of ids, with <s> before each text and </s> after it.

    Args:
        texts: each a sequence of words.
        vocabulary: the vocabulary of all words.
        length: the length of the rows; as long as the longest text needs unless given.

    Raises:
        ValueError: a word is not in the vocabulary, or a text is too long.

    >>> text_ids([["a", "b"], ["b"]], Vocabulary(["a", "b"])).tolist()
    [[2, 4, 5, 3], [2, 5, 3, 1]]
    """
    rows = [vocabulary.encode(text, start=True, end=True, known_only=True) for text in texts]
    return np.array(vocabulary.pad(rows, length))


def masked_batch(read: Masked) -> Batch:
    """Return the result of `mask_tokens` as a batch for an encoder."""
    return Batch(torch.from_numpy(read.ids), torch.from_numpy(read.targets))


def label_batch(texts: Sequence[Words], labels: Sequence[int], vocabulary: Vocabulary) -> Batch:
    """Return a batch of texts with one class each; the targets are (batch,).

    Raises:
        ValueError: as `text_ids`, or the number of labels is not that of texts.
    """
    if len(texts) != len(labels):
        raise ValueError(f"labels must be one per text, got {len(labels)} for {len(texts)}")
    return Batch(torch.from_numpy(text_ids(texts, vocabulary)), torch.tensor(labels))


def tag_batch(
    texts: Sequence[Words], tags: Sequence[Sequence[int]], vocabulary: Vocabulary
) -> Batch:
    """Return a batch of texts with a tag for each word; <s>, </s> and padding have none.

    Raises:
        ValueError: as `text_ids`, or the number of tags is not that of words.

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
    """Return sources and targets as a batch for an encoder-decoder with one vocabulary.

    Raises:
        ValueError: no example is given, or a word is not in the vocabulary.
    """
    pairs = itertools.starmap(Corrupted, examples)
    return translation_batch(pairs, vocabulary, vocabulary)


def two_tasks(masked: Batch, follows: Sequence[bool]) -> Batch:
    """Return a masked batch whose target at <s> is whether the second sentence follows.

    Source: Devlin et al. (2019), section 3.1, task 2.
    """
    targets = masked.targets.clone()
    targets[:, 0] = torch.tensor(follows, dtype=targets.dtype)
    return Batch(masked.ids, targets)


def two_task_loss(model: Transformer, batch: Batch) -> torch.Tensor:
    """Return the mean loss of the masked words plus that of next-sentence prediction.

    Args:
        model: an encoder with two classes.
        batch: a batch of `two_tasks`, whose first targets are classes.

    Source: Devlin et al. (2019), appendix A.2.
    """
    padding = model.config.padding_id
    seen = None if padding is None else batch.ids.ne(padding)[:, None, :]
    hidden = model.encoder(model.embedding(batch.ids), seen)
    words = model.head(hidden[:, 1:], tokens=model.embedding.tokens)
    loss: torch.Tensor = cross_entropy(words, batch.targets[:, 1:], ignore_index=IGNORED)
    follows: torch.Tensor = cross_entropy(model.classifier(hidden), batch.targets[:, 0])
    return loss + follows
