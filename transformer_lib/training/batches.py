"""Batches: sentences as padded ids, or windows of a long text, with the target at each id."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Integer

from transformer_lib.formulas import checks
from transformer_lib.model.vocabulary import Vocabulary

IGNORED = -100  # the target of padding: `cross_entropy` leaves it out


class Batch(NamedTuple):
    """What the decoder reads, what it should predict, and what an encoder reads, or None.

    `ids` and `targets` are (batch, n): the target at each position is the id at the next one, or
    -100 at padding. `source` is (batch, n_source).
    """

    ids: torch.Tensor
    targets: torch.Tensor
    source: torch.Tensor | None = None

    def to(self, device: torch.device) -> "Batch":
        """Return the batch on a model's device; a batch that is already on it is not copied."""
        source = None if self.source is None else self.source.to(device)
        return Batch(self.ids.to(device), self.targets.to(device), source)


def device_of(model: torch.nn.Module) -> torch.device:
    """Return the device of a model's parameters: the CPU for a model without parameters."""
    first = next(iter(model.parameters()), None)
    return torch.device("cpu") if first is None else first.device


Ids = Integer[np.ndarray, " n"]
DrawBatch = Callable[[np.random.Generator], Batch]


def language_model_batch(sentences: Iterable[Sequence[str]], vocabulary: Vocabulary) -> Batch:
    """Turn sentences into a batch: the model reads <s> and the words, and predicts them and </s>.

    Args:
        sentences: each a sequence of words.
        vocabulary: the words and their ids.

    Raises:
        ValueError: no sentence is given, a sentence is a string instead of words, or a word is not
            in the vocabulary.

    Source: Vaswani et al. (2017), section 3.1, "output embeddings are offset by one position".

    >>> batch = language_model_batch([["the", "cat"], ["the"]], Vocabulary(["the", "cat"]))
    >>> batch.ids.tolist(), batch.targets.tolist()
    ([[2, 4, 5], [2, 4, 1]], [[4, 5, 3], [4, 3, -100]])
    """
    whole = _encoded("sentences", sentences, vocabulary, start=True)
    ids = _padded([sentence[:-1] for sentence in whole], vocabulary.padding_id)
    return Batch(ids, _padded([sentence[1:] for sentence in whole], IGNORED))


def translation_batch(
    pairs: Iterable[Any], source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
) -> Batch:
    """Turn pairs of sentences into a batch of an encoder-decoder.

    The encoder reads the words of the source and </s>; the decoder reads and predicts the target as
    in `language_model_batch`.

    Args:
        pairs: each with words as `source` and `target`, such as a `Pair` of a toy language.
        source_vocabulary: the vocabulary of the encoder.
        target_vocabulary: the vocabulary of the decoder.

    Raises:
        ValueError: no pair is given, a pair has no source or no target, or a word is not in its
            vocabulary.

    Source: Sutskever et al. (2014), section 2; Vaswani et al. (2017), section 3.1.
    """
    pairs = list(pairs)
    if not all(hasattr(pair, "source") and hasattr(pair, "target") for pair in pairs):
        raise ValueError("pairs must each have a source and a target")
    sources = _encoded("pairs", (pair.source for pair in pairs), source_vocabulary)
    batch = language_model_batch((pair.target for pair in pairs), target_vocabulary)
    return batch._replace(source=_padded(sources, source_vocabulary.padding_id))


def gap_batch(gaps: Iterable[Any], vocabulary: Vocabulary, *, marks: str = "each") -> Batch:
    """Turn sentences with gaps into a batch of an encoder, or of an encoder-decoder.

    An encoder reads the sentence with <unk> for each missing word, and predicts these words at
    their positions. An encoder-decoder reads one <unk> for all of them, and generates them in a
    row.

    Args:
        gaps: each with `words`, and `masked`, in which some are <unk>; or a pair for one mark.
        vocabulary: the words and their ids.
        marks: "each" for an encoder, "one" for an encoder-decoder.

    Raises:
        ValueError: no gap is given, or a word is not in the vocabulary.

    Source: Devlin et al. (2019), section 3.1; Raffel et al. (2020), section 3.1.4.

    >>> from types import SimpleNamespace
    >>> gap = SimpleNamespace(words=("the", "cat", "sat"), masked=("the", "<unk>", "sat"))
    >>> batch = gap_batch([gap], Vocabulary(["the", "cat", "sat"]))
    >>> batch.ids.tolist(), batch.targets.tolist()
    ([[4, 0, 6, 3]], [[-100, 5, -100, -100]])
    """
    gaps = list(gaps)
    if marks == "one":
        return translation_batch(gaps, vocabulary, vocabulary)
    ids = _padded(_encoded("gaps", (g.masked for g in gaps), vocabulary), vocabulary.padding_id)
    words = _padded(_encoded("gaps", (g.words for g in gaps), vocabulary), IGNORED)
    return Batch(ids, words.where(ids == vocabulary.unknown_id, IGNORED))


def get_batch(ids: Ids, *, batch_size: int, length: int, rng: np.random.Generator) -> Batch:
    """Sample windows that begin anywhere; the target at each position is the id at the next one.

    Args:
        ids: the ids of a text, (n,); of a memory-mapped array, only the windows are read.
        batch_size: the number of windows.
        length: the number of ids in a window.
        rng: the generator that draws where windows begin.

    Raises:
        ValueError: ids is not an array of integers with one axis, or is too short for one window
            and its last target.

    Source: Radford et al. (2018), section 4.1, "contiguous sequences".

    >>> batch = get_batch(np.arange(9), batch_size=1, length=3, rng=np.random.default_rng(0))
    >>> batch.ids.tolist(), batch.targets.tolist()
    ([[5, 6, 7]], [[6, 7, 8]])
    """
    _check_windows(ids, batch_size, length)
    starts = rng.integers(0, len(ids) - length, batch_size)
    return _windows(ids, starts.tolist(), length)


def window_draws(ids: Ids, *, batch_size: int, length: int) -> DrawBatch:
    """Return the function that `train` samples its batches with: `get_batch` of these ids.

    Raises:
        ValueError: as `get_batch`.
    """
    _check_windows(ids, batch_size, length)
    return lambda rng: get_batch(ids, batch_size=batch_size, length=length, rng=rng)


def windows_in_turn(ids: Ids, *, batch_size: int, length: int) -> list[Batch]:
    """Return a whole text as consecutive windows, for a loss on each of its ids but the first.

    The ids that remain at the end form a batch of one shorter window.

    Raises:
        ValueError: as `get_batch`.

    >>> [batch.ids.tolist() for batch in windows_in_turn(np.arange(9), batch_size=2, length=3)]
    [[[0, 1, 2], [3, 4, 5]], [[6, 7]]]
    """
    _check_windows(ids, batch_size, length)
    last = (len(ids) - 1) // length * length
    starts = [*range(0, last, length)]
    found = [
        _windows(ids, starts[i : i + batch_size], length) for i in range(0, len(starts), batch_size)
    ]
    return found + ([_windows(ids, [last], len(ids) - 1 - last)] if last < len(ids) - 1 else [])


def _encoded(
    name: str, sentences: Iterable[Sequence[str]], vocabulary: Vocabulary, *, start: bool = False
) -> list[list[int]]:
    if isinstance(sentences, str):
        raise ValueError(f"{name} must be a list of sentences, got one string {sentences!r}")
    if not isinstance(vocabulary, Vocabulary):
        raise ValueError(f"vocabulary must be a Vocabulary, got {type(vocabulary).__name__}")
    ids = [vocabulary.encode(words, start=start, end=True, known_only=True) for words in sentences]
    if not ids:
        raise ValueError(f"{name} must contain at least one sentence")
    return ids


def _padded(rows: list[list[int]], filler: int) -> torch.Tensor:
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])


def _windows(ids: Ids, starts: list[int], length: int) -> Batch:
    rows = np.stack([ids[start : start + length + 1] for start in starts]).astype(np.int64)
    return Batch(torch.from_numpy(rows[:, :-1].copy()), torch.from_numpy(rows[:, 1:].copy()))


def _check_windows(ids: Any, batch_size: int, length: int) -> None:
    checks.count(1, batch_size=batch_size, length=length)
    if not isinstance(ids, np.ndarray) or ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise ValueError(f"ids must be a numpy array of integers of one axis, got {ids!r:.80}")
    if len(ids) <= length:
        raise ValueError(
            f"length must be below the {len(ids)} ids of the text, to leave a last target, "
            f"got {length}: take shorter windows or more text"
        )
