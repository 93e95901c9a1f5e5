"""Vectors in the plane that a reader drags: dot products and their softmax follow."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from transformer_lib.formulas.softmax import softmax
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import fixed, positive, settled, shown
from transformer_lib.plot.style import DRAWINGS_STYLE, PARTS_SCRIPT, PARTS_STYLE, TABLE_STYLE

SIZE = 320  # of the picture, in pixels
HINT = "Drag an arrow, or choose one with Tab and move it with the arrow keys."


Vector = tuple[float, float]


def plane(
    vectors: Mapping[str, Sequence[float]], *, limit: float = 3.0, title: str = "plane"
) -> Markup:
    """Draw one query and its keys as arrows that can be dragged, with dot products and softmax.

    Args:
        vectors: two to four vectors of two numbers by name; the first is the query. They are
            rounded to a tenth, the step of the arrow keys.
        limit: the axes reach from -limit to limit.
        title: what is shown.

    Raises:
        ValueError: there are not two to four vectors, one has not two numbers from -limit to
            limit, or limit is not positive.

    >>> plane({"query": [1, 0.5], "a": [1, 1], "b": [0, 1]})
    plane
    query (1.0, 0.5)
    a (1.0, 1.0): 1.0 · 1.0 + 0.5 · 1.0 = 1.50, angle 18°, share 0.73
    b (0.0, 1.0): 1.0 · 0.0 + 0.5 · 1.0 = 0.50, angle 63°, share 0.27
    """
    positive("limit", limit)
    if not 2 <= len(vectors) <= 4:
        raise ValueError(f"vectors must be 2 to 4, got {len(vectors)}")
    at = {name: _vector(name, vector, limit) for name, vector in vectors.items()}
    (name, query), *keys = at.items()
    products = [settled(query[0] * key[0] + query[1] * key[1]) for _, key in keys]
    shares = softmax(np.array(products))
    rows, lines = "", [title, f"{name} {_pair(query)}"]
    for (key, vector), product, share in zip(keys, products, shares, strict=True):
        spelled = _spelled(query, vector, product)
        rows += (
            f'<tr><th scope="row">{escape(key)}</th><td>{spelled}</td>'
            f'<td>{shown(share, 2)}</td><td class="tl-bar"><i style="width:{100 * share:.0f}%">'
            "</i></td></tr>"
        )
        lines.append(f"{key} {_pair(vector)}: {spelled}, share {fixed(share, 2)}")
    html = (
        f'<div class="tl-plane" role="group" aria-label="{escape(title)}" data-limit="{limit:g}">'
        f"{_picture(at, limit)}"
        f'<div class="tl-box"><table class="tl-table tl-bars"><thead><tr><th></th>'
        f'<th scope="col">dot product with {escape(name)}</th><th scope="col">softmax</th>'
        f'<td></td></tr></thead><tbody aria-live="polite">{rows}</tbody></table></div>'
        f"<small>{HINT}</small></div>"
    )
    head = (TABLE_STYLE, PARTS_STYLE, DRAWINGS_STYLE, PARTS_SCRIPT)
    return Markup(html, "\n".join(lines), head)


def _vector(name: str, vector: Sequence[float], limit: float) -> Vector:
    if len(vector) != 2 or not all(-limit <= x <= limit for x in vector):
        raise ValueError(f"{name} must be two numbers from {-limit:g} to {limit:g}, got {vector}")
    return round(float(vector[0]), 1) + 0.0, round(float(vector[1]), 1) + 0.0


def _pair(vector: Vector) -> str:
    return f"({shown(vector[0], 1)}, {shown(vector[1], 1)})"


def _spelled(query: Vector, key: Vector, product: float) -> str:
    terms = [f"{shown(a, 1)} · {shown(b, 1)}" for a, b in zip(query, key, strict=True)]
    return f"{' + '.join(terms)} = {shown(product, 2)}{_angle(query, key)}"


def _angle(query: Vector, key: Vector) -> str:
    """Say the angle between two arrows; one without a length has no angle."""
    if (0, 0) in (query, key):
        return ""
    turn = abs(math.degrees(math.atan2(*query) - math.atan2(*key)))
    return f", angle {min(turn, 360 - turn):.0f}°"


def _picture(at: Mapping[str, Vector], limit: float) -> str:
    half, whole = SIZE / 2, math.floor(limit)
    unit = half / limit
    grid = "".join(
        f"M{k * unit:g} {-half:g}v{SIZE}M{-half:g} {k * unit:g}h{SIZE}"
        for k in range(-whole, whole + 1)
    )
    arrows = "".join(
        _arrow(name, vector, "query" if i == 0 else "key", unit, limit)
        for i, (name, vector) in enumerate(at.items())
    )
    return (
        f'<svg viewBox="{-half:g} {-half:g} {SIZE} {SIZE}" role="group" '
        f'aria-label="{len(at)} arrows"><path class="tl-grid" d="{grid}"/>'
        f'<path class="tl-axes" d="M0 {-half:g}v{SIZE}M{-half:g} 0h{SIZE}"/>{arrows}</svg>'
    )


def _arrow(name: str, vector: Vector, role: str, unit: float, limit: float) -> str:
    """Draw an arrow; the script moves its line, its tip and its name."""
    x, y = (f"{settled(v * unit):.1f}" for v in (vector[0], -vector[1]))
    turn = math.degrees(math.atan2(-vector[1], vector[0]))
    return (
        f'<g class="tl-vector tl-role-{role}" tabindex="0" role="slider" '
        f'aria-label="{escape(name)}" aria-valuemin="{-limit:g}" aria-valuemax="{limit:g}" '
        f'aria-valuenow="{vector[0]:g}" aria-valuetext="{_pair(vector)}" '
        f'data-x="{vector[0]:g}" data-y="{vector[1]:g}">'
        f'<line x2="{x}" y2="{y}"/><g transform="translate({x} {y})">'
        f'<path d="M0 0L-12 6V-6Z" transform="rotate({turn:.1f})"/><circle r="18"/>'
        f'<text y="-10" x="8">{escape(name)}</text></g></g>'
    )
