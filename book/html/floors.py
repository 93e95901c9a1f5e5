"""Draw boxes on floors as SVG: every arrow goes down, to something that its box needs."""

import textwrap
from collections.abc import Mapping
from itertools import pairwise
from statistics import fmean

Graph = Mapping[str, set[str]]
Node = tuple[str, int]
"""A box on its own floor or, on a floor above it, the place where arrows to it pass."""

FLOOR, WIDTH, HEIGHT, GAP, MARGIN = 92, 104, 56, 8, 8  # pixels: a phone shows five boxes in a row
LETTERS, LINE = 11, 17  # in a line of a box, and the pixels from one to the next
SWEEPS = 12
INK, PAPER = "#24292f", "#ffffff"


def floor(box: str, graph: Graph) -> int:
    """How many boxes the longest way down from a box passes."""
    return max((1 + floor(below, graph) for below in graph[box]), default=0)


def direct(box: str, graph: Graph) -> list[str]:
    """What a box needs, without what another thing it needs leads to anyway."""
    implied = {far for below in graph[box] for far in _reached(below, graph)}
    return sorted(graph[box] - implied)


def svg(graph: Graph, colors: Mapping[str, str]) -> str:
    """Draw each box of the graph in its color, with arrows to what it needs directly."""
    level = {box: floor(box, graph) for box in graph}
    lines = [_line(box, below, level) for box in graph for below in direct(box, graph)]
    x = _places(lines, level)
    width = max(x.values()) + WIDTH / 2 + MARGIN
    height = FLOOR * max(level.values()) + HEIGHT + 2 * MARGIN
    y = {node: height - MARGIN - HEIGHT / 2 - FLOOR * node[1] for node in x}
    shapes = [_arrow([(x[node], y[node]) for node in line]) for line in lines]
    shapes += [_box(x[node], y[node], node[0], colors[node[0]]) for node in level.items()]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" '
        'font-family="sans-serif" font-size="15" text-anchor="middle">'
    )
    paper = f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>'
    return "\n".join([head, paper, *shapes, "</svg>\n"])


def _reached(box: str, graph: Graph) -> set[str]:
    return graph[box].union(*(_reached(below, graph) for below in graph[box]))


def _line(box: str, below: str, level: Mapping[str, int]) -> list[Node]:
    """An arrow as the nodes it goes through; arrows to one box share their way on each floor."""
    return [(box, level[box]), *((below, i) for i in range(level[box] - 1, level[below] - 1, -1))]


def _places(lines: list[list[Node]], level: Mapping[str, int]) -> dict[Node, float]:
    """The middle of each node from the left, after its neighbors have drawn it to them."""
    near = _neighbors(lines, level)
    floors = [sorted(n for n in near if n[1] == i) for i in range(1 + max(level.values()))]
    x = {node: float(i) for row in floors for i, node in enumerate(row)}
    for sweep in range(SWEEPS):
        for row in floors if sweep % 2 else reversed(floors):
            wish = {node: fmean([x[other] for other in near[node]] or [x[node]]) for node in row}
            row.sort(key=lambda node: (wish[node], node))
            x |= _spread(row, wish, level)
    left = min(x.values()) - WIDTH / 2 - MARGIN
    return {node: round(place - left) for node, place in x.items()}


def _neighbors(lines: list[list[Node]], level: Mapping[str, int]) -> dict[Node, set[Node]]:
    near: dict[Node, set[Node]] = {node: set() for node in level.items()}
    for line in lines:
        for upper, lower in pairwise(line):
            near.setdefault(upper, set()).add(lower)
            near.setdefault(lower, set()).add(upper)
    return near


def _spread(
    row: list[Node], wish: Mapping[Node, float], level: Mapping[str, int]
) -> dict[Node, float]:
    """Put a row as near to its wishes as its widths allow."""
    half = [WIDTH / 2 if level[box] == i else 0 for box, i in row]
    at = [wish[row[0]]]
    for k in range(1, len(row)):
        at.append(max(wish[row[k]], at[-1] + half[k - 1] + GAP + half[k]))
    shift = fmean(wish[node] - place for node, place in zip(row, at, strict=True))
    return {node: place + shift for node, place in zip(row, at, strict=True)}


def _arrow(points: list[tuple[float, float]]) -> str:
    """A curve from the foot of a box to the head of another."""
    (x, y), *between, end = points
    stops = [*between, (end[0], end[1] - HEIGHT / 2)]
    y += HEIGHT / 2
    path = f"M{x:g} {y:g}"
    for x1, y1 in stops:
        middle = (y + y1) / 2
        path += f"C{x:g} {middle:g} {x1:g} {middle:g} {x1:g} {y1:g}"
        x, y = x1, y1
    return (
        f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="1.3"/>'
        f'<path d="M{x - 5:g} {y - 9:g}L{x + 5:g} {y - 9:g}L{x:g} {y:g}z" fill="{INK}"/>'
    )


def _box(x: float, y: float, name: str, color: str) -> str:
    place = f'x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT}"'
    lines = textwrap.wrap(name, LETTERS)
    first = y + 5 - LINE / 2 * (len(lines) - 1)
    text = "".join(
        f'<tspan x="{x:g}" y="{first + LINE * i:g}">{line}</tspan>' for i, line in enumerate(lines)
    )
    return f'<rect {place} rx="6" fill="{color}" stroke="{INK}"/><text fill="{INK}">{text}</text>'
