"""Where the number of a subject stands in the published model: m' = m of a run that is changed.

m:       logit of "are" minus logit of "is", after the last word of a beginning of a sentence
effect:  m after a plural subject minus m after a singular one, the mean over both attractors
share:   (m' - m) / effect, where a change puts a plural into a run on a singular; the mean of both
         directions: 0 where a change does nothing, 1 where it is as good as another subject
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from course.looking import Head, check_heads
from course.published import passes
from course.published.model import START, Published
from course.seeds import interval
from transformer_lib import lens
from transformer_lib.model.changes import Change

ITEMS = """key to cabinet, door to room, letter from friend, picture of house, book about dog,
report on school, road to city, window of car, gift from teacher, song about girl, story about king,
map of island, cost of ticket, member of team, author of book, owner of shop, leader of group,
doctor near hospital, student behind desk, boy near tree, player behind coach, farmer near horse,
writer beside actor, bird above roof"""
FRAME = "The {} {} the {}"
TAIL = 0.025
"""An interval of 95 % misses so often on each side."""

Array = Any


class Item(NamedTuple):
    """A subject, a preposition and an attractor, the nouns in both numbers."""

    subject: tuple[str, str]
    preposition: str
    attractor: tuple[str, str]


class Run(NamedTuple):
    """A run on sentences of one length, in fours: both numbers of subject and of attractor.

    A run of `swaps.run_pairs` has two sentences for each item, and log2 p of a word as its margin.
    """

    model: Published
    ids: Array  # (4 items, n): for each item singular with both attractors, then plural
    kept: passes.Pass  # the stream, weights, heads and feed-forward layers
    subject: int  # where the subject stands
    margin: Array  # the logit of "are" minus that of "is", (4 items,)
    words: tuple[int, ...]  # the ids of "are" and "is"
    other: Array  # the same sentence with the subject in the other number, its place among the ids

    @property
    def steps(self) -> dict[str, Array]:
        """What was kept, by the names of `trace`."""
        return self.kept.steps


def plural_of(noun: str) -> str:
    """Return the regular plural of a noun.

    >>> plural_of("city"), plural_of("boy"), plural_of("key")
    ('cities', 'boys', 'keys')
    """
    return re.sub("([^aeiou])y$", r"\1ie", noun) + "s"


def items(model: Published, texts: str = ITEMS) -> list[Item]:
    """Return the items whose four nouns are one token each.

    Args:
        model: whose tokenizer decides.
        texts: a subject, a preposition and an attractor each, with commas in between.

    Raises:
        ValueError: an item does not have three words.
    """
    found = []
    for text in texts.replace("\n", " ").split(","):
        words = text.split()
        if len(words) != 3:
            raise ValueError(f"an item must be subject, preposition, attractor, got {text!r}")
        subject, attractor = ((noun, plural_of(noun)) for noun in words[::2])
        if all(len(model.tokenizer.encode(f" {noun}")) == 1 for noun in subject + attractor):
            found.append(Item(subject, words[1], attractor))
    return found


def sentences(item: Item, frame: str = FRAME) -> list[str]:
    """Return the four beginnings of an item: both numbers of the subject, then of the attractor."""
    return [frame.format(s, item.preposition, a) for s in item.subject for a in item.attractor]


def verbs(model: Published) -> tuple[int, int]:
    """Return the ids of "are" and "is"."""
    (are,), (is_,) = (model.tokenizer.encode(verb) for verb in (" are", " is"))
    return are, is_


def run(
    model: Published, known: Sequence[Item], frame: str = FRAME, keep: Sequence[str] = passes.KEPT
) -> Run:
    """Return a run on the four beginnings of each item, all of one length.

    Args:
        model: which runs.
        known: the items.
        frame: the places of subject, preposition and attractor in a sentence.
        keep: which results of each layer are kept; of resid_post only that of the last layer.

    Raises:
        ValueError: the beginnings differ in length, or the subject is the last word.
    """
    rows = rows_of(model, [text for item in known for text in sentences(item, frame)])
    differs = (rows[0] != rows[2]).nonzero()[0]
    if len(differs) != 1 or differs[0] == rows.shape[1] - 1:
        raise ValueError("the subject must be one token, with words after it")
    other = np.arange(len(rows)).reshape(-1, 2, 2)[:, ::-1].ravel()
    return read(model, rows, int(differs[0]), verbs(model), other, keep)


def rows_of(model: Published, texts: Iterable[str]) -> Array:
    """Return the ids of beginnings of one length, after the start token, (texts, n).

    Raises:
        ValueError: the beginnings differ in length.
    """
    ids = [model.tokenizer.encode(START + text) for text in texts]
    if len({len(each) for each in ids}) != 1:
        raise ValueError("all sentences must have the same number of tokens")
    return np.array(ids)


def read(
    model: Published,
    rows: Array,
    subject: int,
    words: tuple[int, ...],
    other: Array,
    keep: Sequence[str] = passes.KEPT,
) -> Run:
    """Return a run on rows of ids.

    Args:
        model: which runs.
        rows: the ids of all sentences, (sentences, n).
        subject: where sentences differ first.
        words: two ids, whose logits are subtracted for the margin; or one, for its log2 p.
        other: for each sentence the place of the one that swaps with it.
        keep: which results of each layer are kept, as in `run`.
    """
    found = passes.kept(model, rows, keep)
    return Run(model, rows, found, subject, _margin(model, found.X, words), words, other)


def stream(of: Run, layer: int) -> Array:
    """Return the residual stream after so many layers, from 0 to all, (4 items, n, d_model).

    Raises:
        ValueError: the model has no such layer.
    """
    return passes.stream(of.model, of.steps, layer)


def onward(of: Run, layer: int, X: Array, changes: Mapping[str, Change] | None = None) -> Array:
    """Return the margins if the stream after so many layers is X in its last rows.

    Rows before those of X stay as they were, because a decoder looks back only.

    Args:
        of: a run on the same sentences.
        layer: how many layers X has been through.
        X: the last rows, (4 items, rows, d_model).
        changes: of later results, as for `changing`; a function sees the rows of X.
    """
    cache = passes.before(of.kept, of.ids.shape[1] - X.shape[1])
    X = passes.onward(of.model, cache, layer, X, changes)
    return _margin(of.model, X, of.words)


def swapped(of: Run, layer: int, first: int, last: int, source: Run | None = None) -> Array:
    """Return the margins if words stand in the stream as they do with the other number.

    Args:
        of: the run.
        layer: after how many layers.
        first: the place of the first of these words.
        last: the place of the last of them.
        source: another run, whose words are taken instead.
    """
    X = stream(of, layer)[:, first:].copy()
    other = stream(of, layer)[of.other] if source is None else stream(source, layer)
    X[:, : last + 1 - first] = other[:, first : last + 1]
    return onward(of, layer, X)


def with_heads(of: Run, heads: Iterable[Head], value: str | Array = "other") -> Array:
    """Return the margins if heads hand over something else at the last word.

    Args:
        of: the run.
        heads: the heads, each as its layer and its place there, from 1.
        value: "other", what they hand over with the subject in the other number; "mean", their
            mean over all sentences; "zero"; or an array, for each sentence the place of the one
            whose heads it takes.

    Raises:
        ValueError: there is no such head, or no such value.
    """
    config, chosen = of.model.config, sorted(heads)
    check_heads(config, chosen)
    kind, rows = (value, of.other) if isinstance(value, str) else ("other", value)
    made: dict[str, Callable[[Array], Array]] = {
        "other": lambda x: x[rows],
        "mean": lambda x: x.mean(axis=0),
        "zero": lambda x: 0 * x,
    }
    if kind not in made:
        raise ValueError(f"value must be other, mean or zero, got {value!r}")
    if not chosen:
        return of.margin
    changes: dict[str, Change] = {}
    for layer in {layer for layer, _ in chosen}:
        name = passes.NAME.format(layer - 1, "self_attention.heads")
        at = [head - 1 for each, head in chosen if each == layer]
        put = made[kind](of.steps[name][:, at, -1])
        changes[name] = _put(at, put)
    first = chosen[0][0] - 1
    return onward(of, first, stream(of, first)[:, -1:], changes)


def read_early(of: Run) -> Array:
    """Return the margins as the output layer reads the last word after each layer.

    Returns:
        One row for each number of layers, from 0 to all, (layers + 1, 4 items).
    """
    are, is_ = verbs(of.model)
    found = []
    for i in range(0, len(of.ids), 4):  # the logits of all at once would take a gigabyte
        steps = {name: x[i : i + 4] for name, x in of.steps.items() if "resid" in name}
        logits = lens(of.model.parameters, of.model.config, steps)
        found.append(logits[..., are] - logits[..., is_])
    return np.concatenate(found, axis=1)


def effect(margin: Array) -> Array:
    """Return the effect of the subject for each item: margin after a plural less a singular one."""
    fours = margin.reshape(-1, 2, 2)
    return (fours[:, 1] - fours[:, 0]).mean(axis=1)


def share(of: Run, margin: Array) -> Array:
    """Return for each item which share of the effect a change of the subject's number has."""
    moved = (margin - of.margin).reshape(-1, 2, 2)
    return (moved[:, 0] - moved[:, 1]).mean(axis=1) / 2 / effect(of.margin)


def size(of: Run, margin: Array) -> Array:
    """Return for each item how far a change moves the margins either way, as a share too."""
    return np.abs(margin - of.margin).reshape(-1, 4).mean(axis=1) / effect(of.margin)


def others(known: Sequence[Item]) -> list[Item]:
    """Return the items with the subject of the next one, the last with that of the first."""
    moved = [*known[1:], *known[:1]]
    return [item._replace(subject=each.subject) for item, each in zip(known, moved, strict=True)]


def right(margin: Array) -> Array:
    """Return for each sentence whether the verb agrees with the subject, (items, 2, 2)."""
    return (margin.reshape(-1, 2, 2) > 0) == np.array([[[False], [True]]])


def reach(values: Array) -> tuple[float, float]:
    """Return a mean over items, and how far its 95 % interval by Student's t goes on each side."""
    low, high = interval(np.asarray(values, np.float64), TAIL)
    return (low + high) / 2, (high - low) / 2


def shown(values: Array, decimals: int = 2) -> str:
    """Return a mean over items with its 95 % interval, as text.

    >>> shown([1.0, 2.0, 3.0])
    '2.00 ± 2.48'
    """
    rounded = (round(x, decimals) + 0.0 for x in reach(values))  # no zero below 0
    return " ± ".join(f"{x:.{decimals}f}".replace("-", "−") for x in rounded)


def _put(heads: list[int], values: Array) -> Change:
    def change(x: Array) -> Array:
        x = x.copy()
        x[:, heads, -1] = values
        return x

    return change


def _margin(model: Published, X: Array, words: tuple[int, ...]) -> Array:
    """Return log2 p of one word, or the logit of the first word less that of the second."""
    return passes.bits(model, X, *words) if len(words) == 1 else passes.margins(model, X, *words)
