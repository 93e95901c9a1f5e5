"""What a model of a toy language has learned, beyond its loss: read off word by word."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray

from course.languages import AgreementLanguage, TranslationLanguage
from course.training.data import batch_of


class ForcedAccuracy(NamedTuple):
    """The share of right words, and of sentences all of whose words are right."""

    words: float
    sentences: float


def impossible_share(
    model: torch.nn.Module, language: AgreementLanguage, sentences: Sequence[Sequence[str]]
) -> float:
    """Return how much probability goes to words that cannot follow; 0 for a perfect model.

    Args:
        model: of the language, or of one with the same vocabulary.
        language: whose rules say what may follow.
        sentences: sentences of it; the mean is over all their words and ends.

    Raises:
        ValueError: a sentence has an unknown word.
    """
    lost = []
    for words in sentences:
        ids = torch.tensor([language.vocabulary.encode(words, start=True)])
        with torch.no_grad():
            rows = model(ids)[0].softmax(-1)
        for i, row in enumerate(rows):
            chances = language.next_probabilities(words[:i])
            allowed = language.vocabulary.encode([word for word, p in chances.items() if p > 0])
            lost.append(1 - float(row[allowed].sum()))
    return float(np.mean(lost))


def forced_accuracy(
    model: torch.nn.Module, language: TranslationLanguage, pairs: Sequence[Any]
) -> ForcedAccuracy:
    """Return how often the most probable next word is right, given the right words before it.

    Args:
        model: an encoder-decoder of the language.
        language: whose vocabularies it speaks.
        pairs: sources and right translations.

    Raises:
        ValueError: there is no pair, or one has an unknown word.

    Source: Williams and Zipser (1989), "A learning algorithm for continually running fully
    recurrent neural networks", for teacher forcing.
    """
    batch = batch_of(language, pairs)
    with torch.no_grad():
        said = model(batch.ids, batch.source).argmax(-1)
    real = batch.targets >= 0
    right = (said == batch.targets) | ~real
    words = right[real].double().mean()
    return ForcedAccuracy(float(words), float(right.all(dim=1).double().mean()))


def cross_attention(
    model: Any, language: TranslationLanguage, pair: Any
) -> Float[torch.Tensor, "layers heads n_target n_source"]:
    """Return the weights with which a decoder looks at the source of a pair.

    Args:
        model: an encoder-decoder of the language.
        language: whose vocabularies it speaks.
        pair: a source and its translation; row t of the weights is about to say word t.

    Raises:
        ValueError: the pair has an unknown word.
    """
    batch = batch_of(language, [pair])
    with torch.no_grad():
        kept = model.trace(batch.ids, batch.source)
    names = [f"decoder.layers.{i}.cross_attention.weights" for i in range(model.config.layers)]
    return torch.stack([kept[name][0] for name in names])


def alignment_shares(
    model: Any, language: TranslationLanguage, pairs: Sequence[Any]
) -> NDArray[np.float64]:
    """Return how often the largest weight of each head is on the word that is to be translated.

    Args:
        model: an encoder-decoder of the language.
        language: whose vocabularies it speaks.
        pairs: with their alignments.

    Returns:
        One share a layer (row) and head (column).

    Raises:
        ValueError: a pair has an unknown word.

    Source: Bahdanau, Cho, Bengio (2015), "Neural machine translation by jointly learning to align
    and translate", section 5.2.1, reads alignments off attention.
    """
    hits = []
    for pair in pairs:
        chosen = cross_attention(model, language, pair).argmax(-1)
        hits += [(chosen[:, :, t] == s).double() for t, s in pair.alignment]
    return torch.stack(hits).mean(0).numpy()
