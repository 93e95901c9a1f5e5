"""Where what tells two sentences apart is carried: one is put into the other, place by place.

m:      logit of one next word minus that of another, after the last token of a sentence
share:  (m' - m_1) / (m_2 - m_1), where m' is m of the first sentence with a vector of another one
        at one token after one layer: 0 where this changes nothing, 1 where it makes the second
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from course.published import passes
from course.published.model import START, Published, plain
from transformer_lib import softmax
from transformer_lib.model.changes import Change
from transformer_lib.model.plain import Bound, Model

LONGEST = 20
"""The most tokens of a sentence, so that a browser fills a grid within minutes."""
LEAST = 0.5
"""Logits; where two sentences differ by less, a share of it is a share of nothing."""
HEADS = "self_attention.heads"
ORDINALS = ("first", "second", "third")

Array = Any


class Pair(NamedTuple):
    """A sentence and others of its length, which are put into it."""

    model: Published
    ids: Array  # (sentences, n), each with the start token before it
    verbs: tuple[int, int]  # two next words, each one token
    kept: passes.Pass
    margin: Array  # the logit of the second next word less that of the first, (sentences,)

    @property
    def tokens(self) -> list[str]:
        """The tokens of the first sentence."""
        return [self.model.tokenizer.decode([int(i)]).strip() or "␣" for i in self.ids[0, 1:]]

    @property
    def gap(self) -> float:
        """By how much the second sentence differs from the first in what follows, in logits.

        Raises:
            ValueError: by so little that a share of it says nothing.
        """
        gap = float(self.margin[1] - self.margin[0])
        if abs(gap) < LEAST:
            raise ValueError(
                f"The two sentences differ by {abs(gap):.1f} logits in which of the two words "
                "follows, too little for a share of it. Choose other sentences or other words."
            )
        return gap

    def begins(self, source: int) -> int:
        """Return the place of the first token in which a sentence differs from the first one."""
        return int((self.ids[source] != self.ids[0]).argmax())


def read(model: Published, sentences: Sequence[str], verbs: tuple[str, str]) -> Pair:
    """Run a model on sentences that have the same number of tokens.

    Args:
        model: as `opened` reads it.
        sentences: two or more beginnings of a sentence; no two are the same.
        verbs: two words that may follow, each of one token.

    Raises:
        ValueError: a sentence or a word is missing, too long or the same as another; of sentences
            of different lengths the message names the words that are to be changed.
    """
    texts, encode = [plain(text) for text in sentences], model.tokenizer.encode
    rows = [encode(text, special=False) for text in texts]
    for text, row in zip(texts, rows, strict=True):
        if not 2 <= len(row) <= LONGEST:
            raise ValueError(f"A sentence must have 2 to {LONGEST} tokens: {text!r} has {len(row)}")
    for place in range(1, len(texts)):
        if len(rows[place]) != len(rows[0]):
            raise ValueError(uneven(model, texts[0], texts[place], ORDINALS[place]))
        if rows[place] in rows[:place]:
            raise ValueError(f"The {ORDINALS[place]} sentence is the same as one before it.")
    ids = np.array([encode(START) + row for row in rows])
    plus, minus = (_token(model, verb) for verb in verbs[::-1])
    if plus == minus:
        raise ValueError(f"The two next words must differ, but both are {verbs[0]!r}.")
    found = passes.kept(model, ids, ("resid_pre", "resid_post", "heads"))
    margin = passes.margins(model, found.X, plus, minus)
    return Pair(model, ids, (minus, plus), found, margin)


def uneven(model: Published, first: str, other: str, ordinal: str = "second") -> str:
    """Say which words make two sentences differ in their number of tokens."""
    left, right = first.split(), other.split()
    if len(left) != len(right):
        return (
            f"The first sentence has {len(left)} words and the {ordinal} {len(right)}. "
            "Both need the same number."
        )
    said = [
        f"{_counted(model, a, i)}, but {_counted(model, b, i)}"
        for i, (a, b) in enumerate(zip(left, right, strict=True))
        if len(_split(model, a, i)) != len(_split(model, b, i))
    ]
    change = "; ".join(said) or f"the {ordinal} has another number of tokens"
    return f"Both sentences need the same number of tokens: {change}. Change one of these words."


def swapped(of: Pair, layer: int, source: int = 1) -> Array:
    """Return the share of each token that is put in after so many layers, (tokens,).

    All tokens are one batch. A decoder looks back only, so what stands before the first token
    that differs is not computed again.

    Args:
        of: the sentences.
        layer: after how many layers.
        source: the sentence from which vectors are put into the first one.
    """
    begin, shares = of.begins(source), np.zeros(of.ids.shape[1])
    mine, theirs = passes.stream(of.model, of.kept.steps, layer)[[0, source], begin:]
    rows = np.arange(len(mine))
    X = np.repeat(mine[None], len(rows), axis=0)
    X[rows, rows] = theirs
    cache = passes.before(of.kept, begin, [0] * len(rows))
    X = passes.onward(of.model, cache, layer, X)
    shares[begin:] = (_margins(of, X) - of.margin[0]) / of.gap
    return shares[1:]


def heads(of: Pair, layer: int, source: int = 1) -> Array:
    """Return the share of each head of a layer, from 1, put in at the last token, (heads,)."""
    last, many = of.ids.shape[1] - 1, of.model.config.heads
    name = passes.NAME.format(layer - 1, HEADS)
    rows, put = np.arange(many), of.kept.steps[name][source, :, -1]

    def change(x: Array) -> Array:
        x = x.copy()
        x[rows, rows, -1] = put
        return x

    changes: dict[str, Change] = {name: change}
    X = passes.stream(of.model, of.kept.steps, layer - 1)[[0] * many, -1:]
    cache = passes.before(of.kept, last, [0] * many)
    X = passes.onward(of.model, cache, layer - 1, X, changes)
    return (_margins(of, X) - of.margin[0]) / of.gap


class Read(NamedTuple):
    """What the output layer reads after a layer at each token: the most probable next tokens."""

    tokens: list[list[str]]  # of each place three, the most probable one first
    probabilities: Array  # (places, 3)
    margin: Array  # the logit of the second next word less that of the first, (places,)


def read_early(of: Pair, layer: int) -> Read:
    """Read the first sentence's stream after so many layers as if the model ended there."""
    model = of.model
    norm: Any = Model(Bound(model.parameters, model.config)).decoder.norm
    X = norm(passes.stream(model, of.kept.steps, layer)[0, 1:])
    logits = np.asarray(X @ model.parameters["embedding.tokens"].T, np.float64)
    best = np.argpartition(-logits, 3, axis=1)[:, :3]
    order = np.argsort(-np.take_along_axis(logits, best, 1), axis=1)
    best = np.take_along_axis(best, order, 1)
    minus, plus = of.verbs
    return Read(
        [[model.tokenizer.decode([int(i)]).strip() or "␣" for i in row] for row in best],
        np.take_along_axis(softmax(logits), best, 1),
        logits[:, plus] - logits[:, minus],
    )


def _margins(of: Pair, X: Array) -> Array:
    return passes.margins(of.model, X, *of.verbs[::-1])


def _token(model: Published, word: str) -> int:
    ids = model.tokenizer.encode(f" {plain(word)}", special=False)
    if not plain(word) or len(ids) != 1:
        raise ValueError(f"A next word must be one token, but {plain(word)!r} is {len(ids)}.")
    return int(ids[0])


def _split(model: Published, word: str, place: int) -> list[int]:
    return list(model.tokenizer.encode(f" {word}" if place else word, special=False))


def _counted(model: Published, word: str, place: int) -> str:
    ids = _split(model, word, place)
    parts = "|".join(model.tokenizer.decode([i]).strip() or "␣" for i in ids)
    return f"{word} is {len(ids)} token{'s' * (len(ids) > 1)}" + f" ({parts})" * (len(ids) > 1)
