"""By how many bits a word is more probable where a reader's rules allow it, by construction.

The same word is compared after both beginnings of a pair. Two words after one beginning would also
measure how frequent the words are.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from course.published.from_rules import Twins
from course.published.items import Mean, over_items
from course.published.model import START, Published
from transformer_lib import log_softmax
from transformer_lib.plot.markup import Markup
from transformer_lib.plot.table import table
from transformer_lib.text import word_bits, words


class Result(NamedTuple):
    """A construction: how many items and pairs, the share right and the mean margin in bits."""

    construction: str
    items: int
    pairs: int
    right: Mean
    bits: Mean


def surprisals(model: Published, beginning: str, tested: Sequence[str]) -> list[float]:
    """Return the surprisal of words after a beginning in bits, each up to where it ends."""
    encode, start = model.tokenizer.encode, model.tokenizer.encode(START)
    before = len(words(encode(beginning, special=False), model.ends))
    texts = [np.array([*start, *encode(f"{beginning} {w}", special=False)]) for w in tested]
    are_even = len({len(ids) for ids in texts}) == 1
    logits = model(np.array(texts)) if are_even else [model(ids) for ids in texts]
    logs = (log_softmax(np.asarray(each, np.float64)) for each in logits)
    pairs = zip(logs, texts, strict=True)
    return [float(word_bits(x, ids[1:], model.ends)[before:].sum()) for x, ids in pairs]


def margins(model: Published, pair: Twins) -> list[float]:
    """Return for each tested word by how many bits it is less surprising where it fits."""
    tested = [word for word in pair.words if word]
    after = [surprisals(model, beginning, tested) for beginning in pair.beginnings]
    fits = [i for i, word in enumerate(pair.words) if word]
    return [after[1 - i][n] - after[i][n] for n, i in enumerate(fits)]


def results(pairs: Iterable[Twins], found: Iterable[Sequence[float]]) -> list[Result]:
    """Return the results of each construction from the margins of its pairs, by number of words.

    A margin of 0 counts as half right. Each item counts once: the mean over its pairs.
    """
    by: dict[str, dict[str, list[Sequence[float]]]] = {}
    for pair, each in zip(pairs, found, strict=False):
        by.setdefault(pair.construction, {}).setdefault(pair.item, []).append(each)
    return [_result(name, list(by[name].values())) for name in sorted(by, key=_length)]


def _length(construction: str) -> tuple[int, str]:
    return construction.count(" "), construction


def _result(construction: str, items: list[list[Sequence[float]]]) -> Result:
    flat = [np.concatenate(each) for each in items]
    right = over_items([float(np.mean((np.sign(x.round(6)) + 1) / 2)) for x in flat])
    return Result(
        construction, len(items), sum(map(len, items)), right, over_items([x.mean() for x in flat])
    )


def shown(found: Sequence[Result]) -> Markup:
    """Show the results as a table, one row for each construction."""
    return table(
        {
            "construction": [x.construction for x in found],
            "items": [x.items for x in found],
            "pairs": [x.pairs for x in found],
            "right": [_percent(x) for x in found],
            "margin, bits": [_said(x.items, "{:.1f}", *x.bits) for x in found],
        },
        title="Mean and 90% interval over items",
    )


def _percent(found: Result) -> str:
    return _said(found.items, "{:.0f}", *(100 * x for x in found.right)).replace(" ", "% ", 1)


def _said(items: int, form: str, *numbers: float) -> str:
    mean, low, high = map(form.format, numbers)
    return f"{mean} ({low} to {high})" if items > 1 else f"{mean} (one item)"
