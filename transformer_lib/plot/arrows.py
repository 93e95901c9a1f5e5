"""One query and its keys as arrows that a reader can turn to change the scores and the output."""

import math
from collections.abc import Mapping, Sequence, Sized

import numpy as np

from transformer_lib.formulas.softmax import softmax
from transformer_lib.plot.arrow_labels import Point
from transformer_lib.plot.arrow_planes import mixing, pair, turning
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import fixed, positive, settled, shown
from transformer_lib.plot.style import DRAWINGS_STYLE, PARTS_SCRIPT, PARTS_STYLE

HINT = (
    "Drag the tip of an arrow, or choose an arrow with Tab: the left and right arrow keys turn "
    "it, up and down change its length."
)


def arrows(
    query: Mapping[str, Sequence[float]],
    keys: Mapping[str, Sequence[float]],
    values: Sequence[Sequence[float]] | None = None,
    *,
    divisor: float = math.sqrt(2),
    title: str = "arrows",
) -> Markup:
    """Draw a query and its keys as arrows, their scores and weights, and how values are mixed.

    Args:
        query: one vector of two numbers by its name. All numbers are rounded to a tenth.
        keys: two to four such vectors.
        values: one value for each key; without values, the picture of values and output is left
            out.
        divisor: what dot products are divided by before the softmax, such as the root of d_k.
        title: the title of the picture.

    Raises:
        ValueError: query is not one vector, keys are not two to four, a vector is not two finite
            numbers, the number of values is not that of keys, or divisor is not positive.

    >>> arrows({"They": [2, 1]}, {"Dragons": [1, 2], "fire": [2, -1]}, [[4, 0], [0, 4]])
    arrows
    They (2.0, 1.0)
    Dragons (1.0, 2.0): 2.0 · 1.0 + 1.0 · 2.0 = 4.00, 4.00 / √2 = 2.83, angle 37°, weight 0.67
    fire (2.0, −1.0): 2.0 · 2.0 + 1.0 · −1.0 = 3.00, 3.00 / √2 = 2.12, angle 53°, weight 0.33
    values Dragons (4.0, 0.0), fire (0.0, 4.0)
    They looks at Dragons with weight 0.67. The output is 2.7, 1.3.
    """
    positive("divisor", divisor)
    _check(query, keys, values)
    at = [(name, _vector(name, vector)) for name, vector in (*query.items(), *keys.items())]
    places = [_vector(f"values[{i}]", v) for i, v in enumerate(() if values is None else values)]
    (asks, q), *found = at
    weights = softmax(np.array([_dot(q, key) for _, key in found]) / divisor).tolist()
    root = _root(divisor)
    sums = [_spelled(q, key, divisor, root) for _, key in found]
    said = _said(asks, list(keys), weights, places)
    scores = map(_score, keys, sums, weights, map(pair, places) if places else [""] * len(keys))
    html = (
        f'<div class="tl-arrows" role="group" aria-label="{escape(title)}" '
        f'data-divisor="{float(divisor)!r}" data-root="{root}">{turning(at)}'
        f"<figure><figcaption>Scores and weights</figcaption><ul>{''.join(scores)}</ul></figure>"
        f"{mixing(list(keys), places, weights) if places else ''}"
        f'<p aria-live="polite">{escape(said)}</p><small>{HINT}</small></div>'
    )
    lines = [title, f"{asks} {pair(q)}"]
    for (key, vector), spelled, weight in zip(found, sums, weights, strict=True):
        lines.append(f"{key} {pair(vector)}: {', '.join(spelled)}, weight {fixed(weight, 2)}")
    if places:
        lines.append(f"values {', '.join(map('{} {}'.format, keys, map(pair, places)))}")
    return Markup(html, "\n".join([*lines, said]), (PARTS_STYLE, DRAWINGS_STYLE, PARTS_SCRIPT))


def _check(query: Sized, keys: Sized, values: Sized | None) -> None:
    if len(query) != 1:
        raise ValueError(f"query must contain one vector, got {len(query)}")
    if not 2 <= len(keys) <= 4:
        raise ValueError(f"keys must be from 2 to 4 vectors, got {len(keys)}")
    if values is not None and len(values) != len(keys):
        raise ValueError(f"values must be one for each of {len(keys)} keys, got {len(values)}")


def _vector(name: str, vector: Sequence[float]) -> Point:
    if len(vector) != 2 or not all(math.isfinite(x) for x in vector):
        raise ValueError(f"{name} must be two finite numbers, got {vector}")
    return round(float(vector[0]), 1) + 0.0, round(float(vector[1]), 1) + 0.0


def _dot(query: Point, key: Point) -> float:
    return settled(query[0] * key[0] + query[1] * key[1])


def _root(divisor: float) -> str:
    """Spell what scores are divided by, "" for 1."""
    square = settled(divisor**2)
    return "" if divisor == 1 else f"√{square:g}" if square.is_integer() else shown(divisor, 2)


def _spelled(query: Point, key: Point, divisor: float, root: str) -> list[str]:
    """Spell a dot product, the score and the angle, which an arrow of no length has not."""
    dot = _dot(query, key)
    terms = [f"{shown(a, 1)} · {shown(b, 1)}" for a, b in zip(query, key, strict=True)]
    lines = [f"{' + '.join(terms)} = {shown(dot, 2)}"]
    if root:
        lines.append(f"{shown(dot, 2)} / {root} = {shown(dot / divisor, 2)}")
    if (0, 0) not in (query, key):
        turn = abs(math.degrees(math.atan2(*query) - math.atan2(*key)))
        lines.append(f"angle {fixed(min(turn, 360 - turn), 0)}°")
    return lines


def _said(asks: str, keys: Sequence[str], weights: Sequence[float], values: Sequence[Point]) -> str:
    best = int(np.argmax(weights))
    said = f"{asks} looks at {keys[best]} with weight {fixed(weights[best], 2)}."
    if not values:
        return said
    output = [shown(float(x), 1) for x in np.asarray(weights) @ np.array(values)]
    return f"{said} The output is {', '.join(output)}."


def _score(key: str, spelled: Sequence[str], weight: float, value: str) -> str:
    handed = f'<span class="tl-role-value">value {value}</span>' if value else ""
    return (
        f'<li><b class="tl-role-key">{escape(key)}</b><b class="tl-role-weight">'
        f'{fixed(weight, 2)}</b><i style="width: {round(100 * settled(weight), 1):g}%;"></i><span>'
        f"{spelled[0]}\n{', '.join(spelled[1:])}</span>{handed}</li>"
    )
