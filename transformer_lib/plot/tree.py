"""The tree of a beam search: the sequences that were followed, dropped and chosen."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from transformer_lib.decoding.result import BeamResult, Expansion
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import fixed
from transformer_lib.plot.style import DRAWINGS_STYLE

COLUMN, ROW, MARGIN = 92, 36, 30
STEP, LINE, NARROW = 24, 26, 330  # of the outline: a step to the right, a row, the least width
LETTER = 3.8  # pixels, half of a wide one, so that no line runs into a word
_FATE = {"": "", "kept": "", "finished": ", finished", "dropped": ", dropped"}


_Labels = dict[tuple[int, ...], tuple[str, str]]


class _Node(NamedTuple):
    """A sequence of the tree and where it stands; the root has no expansion."""

    tokens: tuple[int, ...]
    edge: Expansion | None
    x: float
    y: float

    @property
    def fate(self) -> str:
        """What became of the sequence, "" for the root."""
        return self.edge.fate if self.edge else ""


def tree(
    result: BeamResult,
    names: Sequence[object],
    *,
    start: str = "<s>",
    title: str = "",
    decimals: int = 3,
    most_dropped: int = 2,
) -> Markup:
    """Draw a beam search from left to right, with the probability of each sequence so far.

    Followed edges are solid, dropped ones dashed, and the best sequence is thick.

    Args:
        result: what `beam_search` returned.
        names: the token of each id.
        start: what the prefix is called.
        title: shown above the drawing.
        decimals: how many decimals each probability shows.
        most_dropped: the greatest number of dropped expansions to draw per step, best first.

    Raises:
        ValueError: names has no token for an id of the tree, or most_dropped is negative.
    """
    if most_dropped < 0:
        raise ValueError(f"most_dropped must be 0 or more, got {most_dropped}")
    edges = [edge for step in result.steps for edge in _drawn(step, most_dropped)]
    largest = max((edge.token for edge in edges), default=-1)
    if largest >= len(names):
        raise ValueError(f"names must have a token for id {largest}, got {len(names)} names")
    nodes = _placed(edges)
    best = result.best.tokens
    labels = {node.tokens: _label(node, names, start, decimals) for node in nodes}
    text = "\n".join([title] * bool(title) + [_line(node, labels) for node in nodes])
    heading = f'<p style="margin:0;font-weight:600">{escape(title)}</p>' if title else ""
    said = escape(_described(result, names, title, decimals))
    drawings = _across(nodes, labels, best, said) + _down(nodes, labels, best, said)
    return Markup(f"<div>{heading}{drawings}</div>", text, (DRAWINGS_STYLE,))


def _drawn(step: tuple[Expansion, ...], most_dropped: int) -> list[Expansion]:
    dropped = [edge for edge in step if edge.fate == "dropped"]
    return [edge for edge in step if edge.fate != "dropped"] + dropped[:most_dropped]


def _placed(edges: list[Expansion]) -> list[_Node]:
    """Give every leaf a row of its own and every other node the row of its first child."""
    children: dict[tuple[int, ...], list[Expansion]] = {}
    for edge in edges:
        children.setdefault(edge.parent, []).append(edge)
    nodes, rows = [], 0

    def place(tokens: tuple[int, ...], edge: Expansion | None) -> None:
        nonlocal rows
        nodes.append(_Node(tokens, edge, MARGIN + COLUMN * len(tokens), MARGIN + ROW * rows))
        for i, child in enumerate(children.get(tokens, [])):
            rows += i > 0
            place((*tokens, child.token), child)

    place((), None)
    return nodes


def _label(node: _Node, names: Sequence[object], start: str, decimals: int) -> tuple[str, str]:
    if node.edge is None:
        return start, fixed(1, decimals)
    return str(names[node.edge.token]), fixed(math.exp(node.edge.log_probability), decimals)


def _line(node: _Node, labels: dict[tuple[int, ...], tuple[str, str]]) -> str:
    return "  " * len(node.tokens) + " ".join(labels[node.tokens]) + _FATE[node.fate]


def _described(result: BeamResult, names: Sequence[object], title: str, decimals: int) -> str:
    best = " ".join(str(names[token]) for token in result.best.tokens)
    probability = fixed(math.exp(result.best.log_probability), decimals)
    subject = f"{title}: " if title else ""
    steps = f"{len(result.steps)} step{'s' * (len(result.steps) != 1)}"
    return f"Search tree. {subject}{steps}. The best sequence is {best}, probability {probability}."


def _across(nodes: list[_Node], labels: _Labels, best: tuple[int, ...], said: str) -> str:
    """Draw the tree from left to right, for a wide column."""
    width = max(node.x for node in nodes) + MARGIN
    height = max(node.y for node in nodes) + MARGIN
    at = {node.tokens: node for node in nodes}
    half = {tokens: max(18, LETTER * len(word) + 4) for tokens, (word, _) in labels.items()}
    lines = "".join(
        _edge(at[node.tokens[:-1]], node, is_best, half) for is_best, node in _ordered(nodes, best)
    )
    words = "".join(_words(node, *labels[node.tokens]) for node in nodes)
    return (
        f'<svg role="img" aria-label="{said}" class="tl-tree-across" '
        f'viewBox="0 0 {width} {height}" '
        f'style="max-width:{1.25 * width:g}px" fill="currentColor" '
        f'font-size="13" text-anchor="middle">{lines}{words}</svg>'
    )


def _down(nodes: list[_Node], labels: _Labels, best: tuple[int, ...], said: str) -> str:
    """Draw the tree as an outline with a row for each sequence, for a narrow column."""
    row = {node.tokens: LINE * at + LINE for at, node in enumerate(nodes)}
    lines = "".join(_elbow(node, is_best, row) for is_best, node in _ordered(nodes, best))
    words = "".join(_entry(node, *labels[node.tokens], row[node.tokens]) for node in nodes)
    ends = (
        STEP * len(tokens) + 2 * LETTER * len(" ".join(both)) for tokens, both in labels.items()
    )
    width = max(NARROW, round(max(ends)) + MARGIN)
    return (
        f'<svg role="img" aria-label="{said}" class="tl-tree-down" '
        f'viewBox="0 0 {width} {LINE * (len(nodes) + 1)}" fill="currentColor" '
        f'font-size="14">{lines}{words}</svg>'
    )


def _elbow(node: _Node, is_best: bool, row: dict[tuple[int, ...], int]) -> str:
    """Draw a line from below the parent's word to the beginning of the child's row."""
    x, top = STEP * len(node.tokens), row[node.tokens[:-1]] + LINE / 4
    path = f"M{x - STEP / 2:g} {top:g}V{row[node.tokens] - 5}H{x + STEP / 4:g}"
    return f'<path d="{path}" {_look(node, is_best)}/>'


def _entry(node: _Node, word: str, probability: str, y: int) -> str:
    look = ' opacity="0.75"' if node.fate == "dropped" else ""
    weight = ' font-weight="bold"' if node.fate == "finished" else ""
    said = f"<tspan{weight}>{escape(word)}</tspan> {probability}"
    return f'<text x="{STEP * len(node.tokens) + 8}" y="{y}"{look}>{said}</text>'


def _ordered(nodes: list[_Node], best: tuple[int, ...]) -> list[tuple[bool, _Node]]:
    """The edges, of which the best sequence comes last, so that no other line crosses it."""
    return sorted((node.tokens == best[: len(node.tokens)], node) for node in nodes[1:])


def _look(node: _Node, is_best: bool) -> str:
    """How the edge to a node is drawn."""
    dashes = ' stroke-dasharray="3 4" opacity="0.6"' if node.fate == "dropped" else ""
    thick = 4 if is_best else 1.2
    return f'fill="none" stroke="currentColor" stroke-width="{thick}"{dashes}'


def _edge(parent: _Node, node: _Node, is_best: bool, half: dict[tuple[int, ...], float]) -> str:
    """Draw a line that leaves the parent, turns to the child's row and arrives there."""
    x, end = parent.x + half[parent.tokens], node.x - half[node.tokens]
    turn = max(x, parent.x + COLUMN / 2)
    path = f"M{x:g} {parent.y}H{turn:g}V{node.y}H{end:g}"
    return f'<path d="{path}" {_look(node, is_best)}/>'


def _words(node: _Node, word: str, probability: str) -> str:
    look = ' opacity="0.75"' if node.fate == "dropped" else ""
    weight = ' font-weight="bold"' if node.fate == "finished" else ""
    return (
        f'<g{look}><text x="{node.x}" y="{node.y - 3}"{weight}>{escape(word)}</text>'
        f'<text x="{node.x}" y="{node.y + 12}" font-size="12">{probability}</text></g>'
    )
