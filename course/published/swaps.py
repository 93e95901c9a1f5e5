"""Which part of the published model carries the margin of minimal pairs: bits that a swap moves.

margin:  log2 p(word) after the acceptable beginning minus that after the other one
moved:   by how many bits a part changes log2 p(word) if its output comes from another sentence,
         toward the other sentence of the pair; the mean of both directions
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from course.looking import Head
from course.published.looking import Run, read, rows_of, with_heads
from course.published.model import Published

Array = Any


def run_pairs(model: Published, pairs: Sequence[tuple[str, str]], word: str) -> Run:
    """Return a run on pairs of beginnings, all of one length, with log2 p of a word as its margin.

    Args:
        model: which runs.
        pairs: an acceptable and another beginning each.
        word: which is to follow; of a word of several tokens the first one counts.

    Raises:
        ValueError: the beginnings differ in length.
    """
    rows = rows_of(model, [text for pair in pairs for text in pair])
    first = model.tokenizer.encode(f" {word}")[0]
    differ = int((rows[0] != rows[1]).argmax())
    other = np.arange(len(rows)).reshape(-1, 2)[:, ::-1].ravel()
    return read(model, rows, differ, (first,), other, ("resid_pre", "resid_post", "heads"))


def margins(of: Run) -> Array:
    """Return the margin of each pair in bits, (pairs,)."""
    good, bad = of.margin.reshape(-1, 2).T
    return good - bad


def moved(of: Run, heads: Iterable[Head], shift: int = 0) -> Array:
    """Return by how many bits heads move each pair, if they swap at the last word, (pairs,).

    Args:
        of: as `run_pairs` returns it.
        heads: the heads, each as its layer and its place there, from 1.
        shift: 0 swaps the two sentences of a pair; k gives each sentence what the heads hand over
            in the sentence of the same kind that stands k pairs before it: the null.

    Raises:
        ValueError: there is no such head.
    """
    rows = np.roll(np.arange(len(of.ids)), 2 * shift) if shift else of.other
    good, bad = (with_heads(of, heads, rows) - of.margin).reshape(-1, 2).T
    return (bad - good) / 2
