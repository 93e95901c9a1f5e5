"""Which heads of a small decoder agreement needs: m' = m of a run in which heads are silent.

m:  log of the probability of all plural verbs minus that of all singular verbs, before the verb
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from course.languages.agreement import AgreementLanguage
from transformer_lib import changing, forward, log_softmax
from transformer_lib.model.changes import Change
from transformer_lib.model.configuration import Configuration

OTHER = {"Zuko": "dragons", "dragons": "Zuko"}
"""The subjects without an article, which are exchanged for each other."""

Array = Any
Words = tuple[str, ...]
Head = tuple[int, int]
"""A layer and a head in it, both counted from 1."""


def pairs_of(
    language: AgreementLanguage, rng: np.random.Generator, count: int
) -> list[list[Words]]:
    """Return random sentences up to the verb, each with a singular and with a plural subject.

    All have a phrase at least, so that the verb does not stand beside the subject.

    >>> pairs = pairs_of(AgreementLanguage(), np.random.default_rng(1), 1)
    >>> [" ".join(words[:4]) for words in pairs[0]]
    ['the cat who went', 'the cats who went']
    """
    found = []
    for _ in range(count):
        words = language.sample(rng)
        while not language.distance(words):
            words = language.sample(rng)
        begun, at = list(words[: language.verb(words)]), int(words[0] == "the")
        noun = begun[at]
        if not at:
            other = OTHER[noun]
        else:
            other = noun[:-1] if noun.endswith("s") else f"{noun}s"
        both = [(*begun[:at], each, *begun[at + 1 :]) for each in (noun, other)]
        found.append(both if language.number(words) == "singular" else both[::-1])
    return found


def margins(
    parameters: dict[str, Array],
    config: Configuration,
    language: AgreementLanguage,
    pairs: Sequence[Sequence[Words]],
    silent: Iterable[Head] = (),
) -> Array:
    """Return by how much plural verbs are more probable, in nats, for each pair, (pairs, 2).

    Args:
        parameters: arrays by name.
        config: the shape of the decoder.
        language: of the sentences.
        pairs: as `pairs_of` returns them.
        silent: the heads that hand over nothing.

    Raises:
        ValueError: there is no such head.
    """
    record = changing(config, _zeros(config, list(silent)))
    rows = [language.vocabulary.encode(words, start=True) for pair in pairs for words in pair]
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)  # no row sees what is behind it
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
    logits = forward(parameters, config, ids, record=record)
    logs = log_softmax(logits[np.arange(len(rows)), [len(row) - 1 for row in rows]])
    chances = [
        np.exp(logs[:, language.vocabulary.encode(language.verbs[number])]).sum(axis=1)
        for number in ("plural", "singular")
    ]
    return (np.log(chances[0]) - np.log(chances[1])).reshape(-1, 2)


def right(margin: Array) -> Array:
    """Return how often the verbs of the right number are more probable: singular, plural, (2,)."""
    return ((margin > 0) == [False, True]).mean(axis=0)


def effect(margin: Array) -> float:
    """Return the effect of the subject: the mean margin after a plural less that after a singular.

    >>> effect(np.array([[-2.0, 3.0], [-1.0, 1.0]]))
    3.5
    """
    return float((margin[:, 1] - margin[:, 0]).mean())


def check_heads(config: Configuration, heads: Iterable[Head]) -> None:
    """Raise ValueError for a head that a model does not have."""
    for layer, head in heads:
        if not (1 <= layer <= config.layers and 1 <= head <= config.heads):
            raise ValueError(f"there is no head {head} in layer {layer}")


def _zeros(config: Configuration, silent: Sequence[Head]) -> dict[str, Change]:
    check_heads(config, silent)
    sound = np.ones((config.layers, config.heads, 1, 1))
    for layer, head in silent:
        sound[layer - 1, head - 1] = 0
    return {
        f"decoder.layers.{layer - 1}.self_attention.heads": _times(sound[layer - 1])
        for layer in {layer for layer, _ in silent}
    }


def _times(factors: Array) -> Change:
    return lambda heads: heads * factors
