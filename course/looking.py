"""Which head of a small decoder agreement needs: m' = m of a run in which one head is silent.

m:  log of the probability of all plural verbs minus that of all singular verbs, before the verb
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from course.languages.agreement import AgreementLanguage
from transformer_lib import changing, forward, log_softmax
from transformer_lib.model.configuration import Configuration

OTHER = {"Zuko": "dragons", "dragons": "Zuko"}
"""The subjects without an article, which are exchanged for each other."""

Array = Any
Words = tuple[str, ...]


def pairs_of(language: AgreementLanguage, rng: np.random.Generator, count: int) -> list[list[Words]]:
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
        other = OTHER.get(noun) or (noun[:-1] if noun.endswith("s") else f"{noun}s")
        both = [(*begun[:at], each, *begun[at + 1 :]) for each in (noun, other)]
        found.append(both if language.number(words) == "singular" else both[::-1])
    return found


def margins(
    parameters: dict[str, Array],
    config: Configuration,
    language: AgreementLanguage,
    pairs: Sequence[Sequence[Words]],
    silent: tuple[int, int] | None = None,
) -> Array:
    """Return by how much plural verbs are more probable, in nats, for each pair, (pairs, 2).

    Args:
        parameters: arrays by name.
        config: the shape of the decoder.
        language: of the sentences.
        pairs: as `pairs_of` returns them.
        silent: a layer and a head that hands over nothing, both counted from 1.

    Raises:
        ValueError: there is no such head.
    """
    changes = {}
    if silent is not None:
        layer, head = silent
        if not (1 <= layer <= config.layers and 1 <= head <= config.heads):
            raise ValueError(f"there is no head {head} in layer {layer}")
        others = (np.arange(config.heads) != head - 1)[:, None, None]
        changes[f"decoder.layers.{layer - 1}.self_attention.heads"] = lambda x: x * others
    rows = [language.vocabulary.encode(words, start=True) for pair in pairs for words in pair]
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)  # no row sees what is behind it
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
    logits = forward(parameters, config, ids, record=changing(config, changes))
    logs = log_softmax(logits[np.arange(len(rows)), [len(row) - 1 for row in rows]])
    chances = [
        np.exp(logs[:, language.vocabulary.encode(language.verbs[number])]).sum(axis=1)
        for number in ("plural", "singular")
    ]
    return (np.log(chances[0]) - np.log(chances[1])).reshape(-1, 2)


def right(margin: Array) -> Array:
    """Return how often the verbs of the right number are more probable: singular, plural, (2,)."""
    return ((margin > 0) == [False, True]).mean(axis=0)


def right_without_each(
    parameters: dict[str, Array],
    config: Configuration,
    language: AgreementLanguage,
    pairs: Sequence[Sequence[Words]],
) -> Array:
    """Return the share that stays right when one head is silent, for each, (layers, heads)."""
    return np.array(
        [
            [
                right(margins(parameters, config, language, pairs, (layer + 1, head + 1))).mean()
                for head in range(config.heads)
            ]
            for layer in range(config.layers)
        ]
    )
