"""How good a model of a toy language is, beside what is possible."""

from collections.abc import Sequence
from typing import Any

import torch

from course.languages import AgreementLanguage, FactLanguage, Gap, GapLanguage, TranslationLanguage
from course.training.data import batch_of
from transformer_lib.model.vocabulary import Vocabulary
from transformer_lib.training.batches import IGNORED, device_of
from transformer_lib.training.loss import evaluating

LONGEST = 32  # tokens of a translation, far above those of the language


def loss_floor(language: AgreementLanguage, sentences: Sequence[Sequence[str]]) -> float:
    """Return the loss per token of the language itself on sentences: no model beats it on average.

    Args:
        language: an AgreementLanguage.
        sentences: sentences of it.

    Raises:
        ValueError: there is no sentence, or one is not in the language.

    Source: Shannon (1948), "A mathematical theory of communication", section 7.

    >>> language = AgreementLanguage()
    >>> round(loss_floor(language, ["Zuko was hungry".split()]), 4)
    1.1776
    """
    tokens = int((batch_of(language, sentences).targets != IGNORED).sum())
    total = -sum(language.log_probability(words) for words in sentences)
    if total == float("inf"):
        raise ValueError("sentences must all be in the language, one is not")
    return total / tokens


def agreement_accuracy(
    model: torch.nn.Module, language: AgreementLanguage, sentences: Sequence[Sequence[str]]
) -> float:
    """Return how often verbs of the right number are more probable than those of the wrong one.

    Args:
        model: of the language.
        language: whose verbs are compared, all of one number against all of the other.
        sentences: each is read up to its verb.

    Raises:
        ValueError: there is no sentence, or one has no verb or an unknown word.

    Source: Linzen, Dupoux, Goldberg (2016), "Assessing the ability of LSTMs to learn
    syntax-sensitive dependencies", section 4.
    """
    probabilities = _evaluated(model, batch_of(language, sentences).ids).softmax(-1)
    rows = torch.arange(len(sentences))
    at_verb = probabilities[rows, torch.tensor([language.verb(words) for words in sentences])]
    one, many = (
        at_verb[:, language.vocabulary.encode(language.verbs[number])].sum(-1)
        for number in ("singular", "plural")
    )
    right = torch.tensor([language.number(words) == "singular" for words in sentences])
    return float(torch.where(right, one > many, many > one).double().mean())


def expected_loss(model: torch.nn.Module, language: FactLanguage) -> float:
    """Return the expected loss per token, in nats: the mean over all sentences by probability.

    It minus `language.entropy_per_token()` is what the model has yet to learn, and never below 0.

    Args:
        model: of the language.
        language: a FactLanguage, whose sentences can all be listed.

    Source: Shannon (1948), "A mathematical theory of communication", section 6.
    """
    targets, log_probabilities, chances = _every_sentence(model, language)
    losses = -log_probabilities.gather(-1, targets[..., None])[..., 0]
    return float((losses.mean(dim=-1) * chances).sum())


def known_facts(model: torch.nn.Module, language: FactLanguage) -> float:
    """Return how often the dish that the model finds most probable is the right one.

    Args:
        model: of the language.
        language: a FactLanguage; a fact counts by its probability.
    """
    targets, log_probabilities, chances = _every_sentence(model, language)
    right = log_probabilities[:, 2].argmax(-1) == targets[:, 2]
    return float((right * chances).sum())


def _every_sentence(
    model: torch.nn.Module, language: FactLanguage
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    sentences, chances = zip(*language.sentences(), strict=True)
    batch = batch_of(language, sentences)
    log_probabilities = _evaluated(model, batch.ids).double().log_softmax(-1)
    return batch.targets, log_probabilities, torch.tensor(chances, dtype=torch.float64)


def translate(
    model: torch.nn.Module, language: TranslationLanguage, pairs: Sequence[Any]
) -> list[tuple[str, ...]]:
    """Return the model's translations of the sources of pairs, by greedy search, all at once.

    Args:
        model: an encoder-decoder of the language.
        language: whose vocabularies it speaks.
        pairs: only their sources are read.

    Raises:
        ValueError: there is no pair, or a source has an unknown word.
    """
    return _written(model, batch_of(language, pairs).source, language.target_vocabulary)


def fill(
    model: torch.nn.Module, language: GapLanguage, gaps: Sequence[Gap]
) -> list[tuple[str, ...]]:
    """Return the words that a model puts into gaps: the most probable one at each place.

    An encoder says all words of a gap at once, each by itself. An encoder-decoder writes one after
    the other, and knows those before.

    Args:
        model: of the language.
        language: whose marks the model reads.
        gaps: what stands in them is not read.

    Raises:
        ValueError: there is no gap, or an unknown word.

    Source: Devlin et al. (2019), section 3.1; Raffel et al. (2020), section 3.1.4.
    """
    batch, vocabulary = batch_of(language, gaps), language.vocabulary
    if language.marks == "one":
        return _written(model, batch.source, vocabulary)
    chosen, marked = _evaluated(model, batch.ids).argmax(-1), batch.ids == vocabulary.unknown_id
    rows = zip(chosen, marked, strict=True)
    return [tuple(vocabulary.decode(row[here].tolist())) for row, here in rows]


def first_word(model: torch.nn.Module, language: GapLanguage, gaps: Sequence[Gap]) -> torch.Tensor:
    """Return the probability of every word as the first one of each gap, (gaps, V).

    Args:
        model: of the language.
        language: whose marks the model reads.
        gaps: what stands in them is not read.

    Raises:
        ValueError: there is no gap, or an unknown word.

    Source: as `fill`.
    """
    batch, vocabulary = batch_of(language, gaps), language.vocabulary
    if language.marks == "one":
        start = torch.full((len(gaps), 1), vocabulary.start_id)
        return _evaluated(model, start, batch.source)[:, 0].softmax(-1)
    first = (batch.ids == vocabulary.unknown_id).int().argmax(dim=1)
    return _evaluated(model, batch.ids)[torch.arange(len(gaps)), first].softmax(-1)


def _written(model: Any, source: torch.Tensor | None, vocabulary: Vocabulary) -> list[Any]:
    """Return what an encoder-decoder writes, by greedy search, all sources at once."""
    count = 0 if source is None else len(source)
    ids = torch.full((count, 1), vocabulary.start_id)
    done = torch.zeros(count, dtype=torch.bool)
    while not done.all() and ids.shape[1] <= LONGEST:
        chosen = _evaluated(model, ids, source)[:, -1].argmax(-1)
        done |= chosen == vocabulary.end_id
        ids = torch.cat([ids, chosen[:, None]], dim=1)
    return [tuple(vocabulary.decode(_until(row, vocabulary.end_id))) for row in ids[:, 1:].tolist()]


def exact_match(
    model: torch.nn.Module, language: TranslationLanguage, pairs: Sequence[Any]
) -> float:
    """Return the share of pairs whose greedy translation is the target, word for word.

    Args:
        model: an encoder-decoder of the language.
        language: whose vocabularies it speaks.
        pairs: sources and right translations.

    Raises:
        ValueError: as `translate`.
    """
    found = translate(model, language, pairs)
    right = [bool(one == pair.target) for one, pair in zip(found, pairs, strict=True)]
    return sum(right) / len(right)


def _until(ids: list[int], end: int) -> list[int]:
    return ids[: ids.index(end)] if end in ids else ids


def _evaluated(model: torch.nn.Module, *inputs: Any) -> torch.Tensor:
    """Run a model where it is, without dropout and gradient, and leave its mode as it was."""
    device = device_of(model)
    with evaluating(model):
        logits: torch.Tensor = model(*(None if x is None else x.to(device) for x in inputs))
    return logits.cpu()
