"""The two planes of `plot.arrows`: a query among its keys, and the output among the values."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from transformer_lib.plot.arrow_labels import HALF, Box, Point, between, labels
from transformer_lib.plot.markup import escape
from transformer_lib.plot.numbers import fixed, pixels as _px, shown

REACH = 100  # pixels of the longest arrow


def pair(vector: Point) -> str:
    """Return a vector as it is printed."""
    return f"({shown(vector[0], 1)}, {shown(vector[1], 1)})"


def turning(at: Sequence[tuple[str, Point]]) -> str:
    """Draw a query and its keys, with a ring for each unit of length."""
    names, vectors = zip(*at, strict=True)
    limit = max(2, math.ceil(2 * max(math.hypot(*vector) for vector in vectors)) / 2)
    unit = REACH / limit
    tips = [(x * unit, -y * unit) for x, y in vectors]
    boxes = labels(names, tips, (0, 0), [p for tip in tips for p in between((0, 0), tip)])
    drawn = "".join(
        f'<circle class="tl-grid" r="{_px(k * unit)}"/>' for k in range(1, int(limit) + 1)
    )
    grips = ""
    for i, ((name, vector), (x, y), box) in enumerate(zip(at, tips, boxes, strict=True)):
        role = "key" if i else "query"
        arrow = _arrow(vector, unit, 1.5 if i else 2.5)
        drawn += f'<g class="tl-arrow tl-role-{role}">{arrow}{_label(name, box)}</g>'
        grips += (
            f'<span class="tl-grip tl-role-{role}" tabindex="0" role="slider" '
            f'aria-label="{role} of {escape(name)}" aria-valuemin="0" aria-valuemax="360" '
            f'{_turned(vector)} style="left: {_percent(x)}%; top: {_percent(y)}%;"></span>'
        )
    return _picture("Arrows", (0, 0), drawn, grips, f' data-unit="{unit!r}"')


def _percent(pixels: float) -> str:
    return _px(50 + 50 * pixels / HALF)


def _turned(vector: Point) -> str:
    turn, length = math.degrees(math.atan2(vector[1], vector[0])) % 360, math.hypot(*vector)
    said = f"{pair(vector)}, {fixed(turn, 0)} degrees, length {fixed(length, 1)}"
    return f'aria-valuenow="{fixed(turn, 0)}" aria-valuetext="{said}" {_data(vector)}'


def _arrow(vector: Point, unit: float, half: float) -> str:
    """Draw an arrow to the right, and turn it."""
    long, turn = math.hypot(*vector) * unit, math.degrees(math.atan2(-vector[1], vector[0]))
    neck = _px(long - 12)
    outline = f"M0 {-half}H{neck}V-7L{_px(long)} 0L{neck} 7V{half}H0Z"
    return f'<path d="{outline}" transform="rotate({_px(turn)})"/>'


def mixing(keys: Sequence[str], values: Sequence[Point], weights: Sequence[float]) -> str:
    """Draw values as points, joined to the output by lines that are as thick as the weights."""
    *points, origin = _spots(values)
    output = _mean(points, weights)
    lines = [p for point in points for p in between(point, output)]
    middle = _mean(points, [1 / len(points)] * len(points))
    boxes = labels([*keys, "output"], [*points, output], middle, lines)
    drawn = f'<g class="tl-lean">{"".join(map(_triangle, combinations(points, 3)))}</g>'
    for (x, y), weight in zip(points, weights, strict=True):
        drawn += (
            f'<line x1="{_px(x)}" y1="{_px(y)}" x2="{_px(output[0])}" y2="{_px(output[1])}" '
            f'stroke-width="{_px(1 + 14 * weight)}"/>'
        )
    for key, value, point, box in zip(keys, values, points, boxes, strict=False):
        drawn += f'<g class="tl-role-value" {_data(value)}>{_dot(point, 6)}{_label(key, box)}</g>'
    drawn += f'<g class="tl-mixed">{_dot(output, 8)}{_label("output", boxes[-1])}</g>'
    return _picture("Values and output", origin, drawn)


def _spots(values: Sequence[Point]) -> list[Point]:
    """Return where values and the origin are, in tenths of a pixel, as the script reads them."""
    all_of_them = np.array([*values, (0, 0)])
    low, high = all_of_them.min(0), all_of_them.max(0)
    scaled = (all_of_them - (low + high) / 2) * 2 * REACH / np.maximum(high - low, 1)
    return [(round(float(x), 1), -round(float(y), 1)) for x, y in scaled]


def _mean(points: Sequence[Point], weights: Sequence[float]) -> Point:
    x, y = np.asarray(weights) @ np.array(points)
    return float(x), float(y)


def _triangle(corners: Sequence[Point]) -> str:
    return f'<polygon points="{" ".join(f"{_px(x)},{_px(y)}" for x, y in corners)}"/>'


def _picture(title: str, origin: Point, drawn: str, grips: str = "", data: str = "") -> str:
    x, y = map(_px, origin)
    return (
        f"<figure><figcaption>{title}</figcaption><div>"
        f'<svg viewBox="{-HALF} {-HALF} {2 * HALF} {2 * HALF}" role="img" '
        f'aria-label="{title}"{data}><path class="tl-axes" '
        f'd="M{x} {-HALF}v{2 * HALF}M{-HALF} {y}h{2 * HALF}"/>{drawn}</svg>{grips}</div></figure>'
    )


def _data(vector: Point) -> str:
    return f'data-x="{vector[0]:g}" data-y="{vector[1]:g}"'


def _dot(at: Point, radius: int) -> str:
    return f'<circle r="{radius}" cx="{_px(at[0])}" cy="{_px(at[1])}"/>'


def _label(name: str, box: Box) -> str:
    return f'<text x="{_px(box[0])}" y="{_px(box[1])}">{escape(name)}</text>'
