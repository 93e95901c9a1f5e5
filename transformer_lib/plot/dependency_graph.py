"""The states of a network as boxes, with arrows from each state to those computed from it."""

import math
from collections.abc import Mapping, Sequence

from transformer_lib.plot.line_chart import LINES
from transformer_lib.plot.markup import Markup, escape

State = tuple[str, int]

_X, _Y, _LEFT, _BOX = 64, 70, 50, (38, 28)  # pixels: between columns, rows; left margin; a box


def dependency_graph(
    needs: Mapping[State, Sequence[State]],
    counts: Mapping[State, float],
    words: Sequence[str],
    *,
    title: str = "",
) -> Markup:
    """Draw a number in each state, a column per word and a row per layer, the first at the bottom.

    Args:
        needs: each state, (layer, position), with the states that it is computed from.
        counts: one number per state; a number that is not finite is shown as a dash.
        words: the word below each column.
        title: shown above the drawing.

    Raises:
        ValueError: a state has no count or no word, or needs a state that is missing.

    >>> needs = {("x", 0): [], ("h", 0): [("x", 0)]}
    >>> dependency_graph(needs, {("x", 0): 0, ("h", 0): 1}, ["tea"])
       tea
    h  1
    x  0
    """
    _check(needs, counts, words)
    layers = list(dict.fromkeys(layer for layer, _ in needs))
    place = {
        (layer, i): (_LEFT + _X * (i + 0.5), 24 + _Y * (len(layers) - 1 - layers.index(layer)))
        for layer, i in needs
    }
    body = "".join(_arrow(place[n], place[s]) for s, needed in needs.items() for n in needed)
    body += "".join(_box(*place[state], _number(counts[state])) for state in needs)
    foot = 24 + _Y * (len(layers) - 1) + 40
    body += "".join(
        _label(_LEFT + _X * (i + 0.5), foot, escape(word)) for i, word in enumerate(words)
    )
    body += "".join(
        _label(_LEFT / 2, 29 + _Y * (len(layers) - 1 - row), escape(layer))
        for row, layer in enumerate(layers)
    )
    text = _text(needs, counts, words, layers, title)
    heading = f"<b>{escape(title)}</b>" if title else ""
    svg = (
        f'<svg role="img" aria-label="{escape(" ; ".join(text.splitlines()))}" '
        f'viewBox="0 0 {_LEFT + _X * len(words)} {foot + 8}" fill="currentColor" font-size="14" '
        f'style="width:100%;max-width:{(_LEFT + _X * len(words)) / 16:g}rem;height:auto">'
        f"{body}</svg>"
    )
    return Markup(f'<div style="margin:.6em 0">{heading}<div>{svg}</div></div>', text)


def _check(
    needs: Mapping[State, Sequence[State]], counts: Mapping[State, float], words: Sequence[str]
) -> None:
    for state, needed in needs.items():
        if state not in counts:
            raise ValueError(f"counts must have a number for {state}")
        if not 0 <= state[1] < len(words):
            raise ValueError(f"words must have one for {state}, got {len(words)} words")
        if not all(other in needs for other in needed):
            raise ValueError(f"needs must have all that {state} needs, got {needed}")


def _number(count: float) -> str:
    return f"{count:g}" if math.isfinite(count) else "–"


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle">{text}</text>'


def _box(x: float, y: float, number: str) -> str:
    width, height = _BOX
    return (
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" '
        f'rx="5" fill="none" stroke="currentColor"/>{_label(x, y + 5, number)}'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Draw a line from box to box with a dot where it arrives."""
    (x0, y0), (x1, y1) = start, end
    width, height = _BOX
    if y0 == y1:
        side = math.copysign(width / 2, x1 - x0)
        x0, x1 = x0 + side, x1 - side
    else:
        side = math.copysign(height / 2, y1 - y0)
        y0, y1 = y0 + side, y1 - side
    color = LINES[0][0]
    return (
        f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" stroke="{color}" stroke-width="1.5"/>'
        f'<circle cx="{x1:g}" cy="{y1:g}" r="3" fill="{color}"/>'
    )


def _text(
    needs: Mapping[State, Sequence[State]],
    counts: Mapping[State, float],
    words: Sequence[str],
    layers: Sequence[str],
    title: str,
) -> str:
    rows = [["", *words]]
    for layer in reversed(layers):
        states = [(layer, i) for i in range(len(words))]
        rows.append([layer, *(_number(counts[s]) if s in needs else "" for s in states)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([title] * bool(title) + lines)
