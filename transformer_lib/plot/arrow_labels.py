"""Names next to the points of a picture that avoid its lines and each other."""

import math
from collections.abc import Sequence

Point = tuple[float, float]
Box = tuple[float, float, float]
"""The middle of a name and half its width."""

HALF = 130  # pixels from the middle of a picture to its edge
LETTER, TALL = 5, 10  # half the width and half the height of a letter
GAPS, TURNS = (10, 26), (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)


def between(start: Point, end: Point) -> list[Point]:
    """Return points along a line, including its end."""
    steps = [k / 12 for k in range(1, 13)]
    return [(start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1])) for s in steps]


def labels(
    names: Sequence[str], tips: Sequence[Point], middle: Point, lines: Sequence[Point]
) -> list[Box]:
    """Place each name beyond its tip, as seen from the middle, or at the nearest free point.

    `parts.js` places the names in the same way when a reader has turned an arrow.

    >>> placed = labels(["one", "two"], [(0, -50), (0, -50)], (0, 0), [])
    >>> [(round(x), round(y)) for x, y, _ in placed]
    [(0, -70), (25, -50)]
    """
    boxes: list[Box] = []
    for name, (x, y) in zip(names, tips, strict=True):
        outward = math.degrees(math.atan2(y - middle[1], x - middle[0]))
        tried = [
            _beside(x, y, math.radians(outward + turn), LETTER * len(name), gap)
            for gap in GAPS
            for turn in TURNS
        ]
        boxes.append(min(tried, key=lambda box: _cost(box, boxes, lines)))
    return boxes


def _beside(x: float, y: float, angle: float, wide: float, gap: float) -> Box:
    """Move a name from its point in a direction until there is a gap between the two."""
    cos, sin = math.cos(angle), math.sin(angle)
    far = 1 / max(abs(cos) / (wide + gap), abs(sin) / (TALL + gap))
    return x + far * cos, y + far * sin, wide


def _cost(box: Box, boxes: Sequence[Box], lines: Sequence[Point]) -> int:
    """Count what a name covers; another name, or the edge of the picture, counts a hundredfold."""
    x, y, wide = box
    outside = abs(x) + wide > HALF or abs(y) + TALL > HALF
    names = sum(abs(x - a) < wide + w and abs(y - b) < 2 * TALL for a, b, w in boxes)
    covered = sum(abs(x - a) < wide + 4 and abs(y - b) < TALL + 2 for a, b in lines)
    return 100 * (outside + names) + covered
