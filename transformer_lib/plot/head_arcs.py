"""All heads of an attention layer as a grid of arcs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, fixed, largest
from transformer_lib.plot.style import DRAWINGS_STYLE, PARTS_STYLE

FAINTEST = 0.02  # what is weaker would not be seen
_LINE, _TOP, _SIDE = 24, 22, 90  # of a picture, in pixels
HINT = "An arc is as wide as its weight. A dot is a look at the word itself. "
BACK, AHEAD = "Arcs on the left look back.", " Arcs on the right look ahead."


def head_arcs(
    words: Sequence[str], weights: Any, *, names: Sequence[str] | None = None, title: str = "heads"
) -> Markup:
    """Show what every head attends to, in pictures of one size.

    Arcs on the left lead from a word back to an earlier one, arcs on the right to a later one.

    Args:
        words: the sentence, n words.
        weights: the attention weights, (heads, n, n); a row belongs to the word that attends.
        names: what the heads are called; "head 1" and so on unless given.
        title: the title of the picture.

    Raises:
        ValueError: weights are not matrices of one row and one column per word with
            entries from 0 to 1, or the number of names is not that of heads.

    >>> head_arcs(["They", "are"], [[[1, 0], [1, 0]], [[1, 0], [0.25, 0.75]]])
    heads
    head 1: They looks at They (1.00), are at They (1.00)
    head 2: They looks at They (1.00), are at are (0.75)
    """
    heads = [as_matrix(head, "weights") for head in weights]
    _check(heads, len(words))
    names = list(names) if names is not None else [f"head {i + 1}" for i in range(len(heads))]
    if len(names) != len(heads):
        raise ValueError(f"names must name all {len(heads)} heads, got {len(names)}")
    ahead = any(np.triu(head, 1).max(initial=0) >= FAINTEST for head in heads)
    said = [f"{name}: {_said(words, head)}" for name, head in zip(names, heads, strict=True)]
    right = _SIDE + 20 + 8 * max(map(len, words))  # where arcs to later words begin
    width = right + _SIDE * ahead
    pictures = "".join(
        f'<svg role="img" aria-label="{escape(text)}" fill="currentColor" font-size="14" '
        f'viewBox="0 0 {width} {_TOP + _LINE * len(words) + 4}">'
        f'<text class="tl-side" x="{_SIDE + 8}" y="13">{escape(name)}</text>'
        f"{_column(words)}{_arcs(head, right)}</svg>"
        for name, head, text in zip(names, heads, said, strict=True)
    )
    html = (
        f'<div class="tl-heads" style="--tl-least:{width}px"><b>{escape(title)}</b>{pictures}'
        f"<small>{HINT}{BACK}{AHEAD * ahead}</small></div>"
    )
    return Markup(html, "\n".join([title, *said]), (PARTS_STYLE, DRAWINGS_STYLE))


def _check(heads: list[NDArray[np.float64]], count: int) -> None:
    for head in heads:
        if head.shape != (count, count):
            raise ValueError(f"weights must be {count} by {count} per head, got {head.shape}")
        if not ((head >= 0) & (head <= 1 + 1e-5)).all():
            raise ValueError("weights must be from 0 to 1")


def _said(words: Sequence[str], head: NDArray[np.float64]) -> str:
    """Name what each word looks at most."""
    most = [largest(row, 2)[0] for row in head]
    looks = [f"at {words[j]} ({fixed(head[i, j], 2)})" for i, j in enumerate(most)]
    first, *rest = [f"{words[i]} {look}" for i, look in enumerate(looks)]
    return ", ".join([first.replace(" at ", " looks at ", 1), *rest])


def _middle(i: int) -> float:
    return _TOP + _LINE * (i + 0.5)


def _arcs(head: NDArray[np.float64], right: float) -> str:
    """Draw what is strong enough, the strongest last and on top."""
    places = np.argwhere(head >= FAINTEST).tolist()
    order = sorted((round(float(head[i, j]), 4), i, j) for i, j in places)
    drawn = "".join(
        f'<circle cx="{_SIDE:g}" cy="{_middle(i):g}" r="{1 + 4 * w:.3g}" opacity="{w:.2g}"/>'
        if i == j
        else f'<path d="{_curve(i, j, right)}" stroke-width="{0.5 + 5 * w:.3g}" '
        f'stroke-opacity="{w:.2g}"/>'
        for w, i, j in order
    )
    return f'<g class="tl-looks">{drawn}</g>'


def _curve(i: int, j: int, right: float) -> str:
    """Bend to the left where word i looks back at word j, to the right where it looks ahead."""
    start, sign = (_SIDE - 6, -1) if j < i else (right, 1)
    reach = start + sign * min(16 + 12 * abs(i - j), 4 / 3 * (_SIDE - 14))
    top, end = f"{_middle(i):g}", f"{_middle(j):g}"
    return f"M{start} {top}C{reach:g} {top} {reach:g} {end} {start} {end}"


def _column(words: Sequence[str]) -> str:
    return "".join(
        f'<text x="{_SIDE + 8}" y="{_middle(i) + 5:g}">{escape(word)}</text>'
        for i, word in enumerate(words)
    )
