"""How the marks of the flow are drawn: three rules, which assets/flow/flow.js repeats."""

import math
from collections.abc import Sequence
from itertools import pairwise


def arc(y0: float, y1: float, x0: float, x1: float) -> str:
    """Draw a curve from one line to another that is level at both ends.

    >>> arc(125, 375, 158, 306)
    'M158 125C232 125 232 375 306 375'
    """
    middle = (x0 + x1) / 2
    return f"M{at(x0)} {at(y0)}" + _bend(middle, y0, x1, y1)


def ribbon(y: float, halves: Sequence[float], xs: Sequence[float]) -> str:
    """Draw a ribbon around the line at y; `halves` is half its thickness at each of xs.

    >>> ribbon(25, [1, 4], [0, 60])
    'M0 24C30 24 30 21 60 21L60 29C30 29 30 26 0 26Z'
    """
    there = [(x, y - half) for x, half in zip(xs, halves, strict=True)]
    back = [(x, y + half) for x, half in zip(xs, halves, strict=True)][::-1]
    sides = (
        f"{at(side[0][0])} {at(side[0][1])}"
        + "".join(_bend((a + b) / 2, c, b, d) for (a, c), (b, d) in pairwise(side))
        for side in (there, back)
    )
    return f"M{'L'.join(sides)}Z"


def waveform(x: float, y: float, values: Sequence[float], step: float, unit: float) -> str:
    """Draw a vector on its line: each number as a bar, which points up if it is positive.

    >>> waveform(0, 25, [1, -0.5], 3, 4)
    'M1.5 25v-4M4.5 25v2'
    """
    return "".join(
        f"M{at(x + step * (column + 0.5))} {at(y)}v{at(-value * unit)}"
        for column, value in enumerate(values)
    )


def at(x: float) -> str:
    """Write a coordinate as the script does: one decimal, halves rounded up, no final ".0".

    >>> at(2.25), at(-0.04), at(40.0)
    ('2.3', '0', '40')
    """
    return f"{math.floor(x * 10 + 0.5) / 10 + 0.0:.12g}"


def _bend(middle: float, y0: float, x1: float, y1: float) -> str:
    return f"C{at(middle)} {at(y0)} {at(middle)} {at(y1)} {at(x1)} {at(y1)}"
