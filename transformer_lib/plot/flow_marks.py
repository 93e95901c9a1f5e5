"""The marks of the flow, stage by stage, as the attributes that assets/flow/flow.js changes."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from transformer_lib.plot.flow_paths import arc, at, ribbon, waveform
from transformer_lib.plot.markup import escape
from transformer_lib.plot.numbers import fixed

Array = NDArray[np.float64]
HEIGHT, SHOWN = 400, 7  # of a picture, and of the next tokens: the others share one more row
LARGEST = 6  # a number of a vector that is as tall as half a row of eight
FAINTEST = 0.004  # an arc that is weaker would not be seen
FAINTEST_SMALL = 0.1  # in a small picture of a head
ARC_FROM, ARC_TO = 158, 306
STREAM_FROM, STREAM_TO, STREAM_END = 48, 298, 318
ROW = HEIGHT / (SHOWN + 1)
TIP = (
    '<marker id="flow-tip" viewBox="0 0 12 26" refY="13" markerUnits="userSpaceOnUse" '
    'markerWidth="12" markerHeight="26" orient="auto"><path d="M0 0L12 13L0 26Z"/></marker>'
)
"""The head of the arrow that an arc ends in."""


class Seen(NamedTuple):
    """What the picture shows: the sentence, the model's steps, and its early predictions."""

    ids: list[int]
    tokens: Sequence[str]
    steps: dict[str, Array]
    early: Array
    layer: int
    head: int

    @property
    def words(self) -> list[str]:
        """The sentence, token by token."""
        return [self.tokens[i] for i in self.ids]

    @property
    def pitch(self) -> float:
        """The distance from one line to the next."""
        return HEIGHT / len(self.ids)

    def middle(self, row: int) -> float:
        """Return the distance from the top to the line of a word."""
        return (row + 0.5) * self.pitch

    def of_head(self, name: str, layer: int, head: int) -> Array:
        """Return a step of one head."""
        found: Array = self.steps[f"decoder.layers.{layer}.self_attention.{name}"][head]
        return found

    @property
    def first(self) -> list[int]:
        """The likeliest next tokens."""
        return [int(i) for i in np.argsort(-self.early[-1], kind="stable")[:SHOWN]]


def marks(name: str, tag: str, rows: Iterable[dict[str, Any]]) -> str:
    """Put marks of one kind into a group, which the script finds by its name."""
    body = "".join(
        f"<{tag} {_attributes(row)}>{escape(row.get('text', ''))}</{tag}>" for row in rows
    )
    return f'<g class="flow-{name}">{body}</g>'


def _attributes(row: dict[str, Any]) -> str:
    return " ".join(f'{key}="{value}"' for key, value in row.items() if key != "text")


def vectors(seen: Seen) -> str:
    """Draw each word's embedding and its position on the line of the word."""
    unit = min(24, seen.pitch / 2 - 1) / LARGEST

    tokens = seen.steps["embedding.tokens"]
    places = seen.steps.get("embedding.positions", 0 * tokens)  # none is added where they turn

    def waves(vectors: Array, x: float) -> Iterable[dict[str, Any]]:
        for row, values in enumerate(vectors.tolist()):
            yield {"d": waveform(x, seen.middle(row), values, 96 / len(values), unit)}

    return (
        lines(seen, 220, 220)
        + marks("token", "path", waves(tokens, 4))
        + marks("place", "path", waves(places, 116))
    )


def lines(seen: Seen, width: float, others: float) -> str:
    """Draw the line of the last word through its row, and the lines of others up to `others`."""
    last = len(seen.ids) - 1
    rect = {"y": at(last * seen.pitch), "width": width, "height": at(seen.pitch)}
    ends = [others] * last + [width]
    rows = ({"d": f"M0 {at(seen.middle(row))}H{end}"} for row, end in enumerate(ends))
    return marks("row", "rect", [rect]) + marks("lines", "path", rows)


def attention(seen: Seen) -> str:
    """Draw one head large: its keys, values and weights, and an arc for each weight."""
    weights = seen.of_head("weights", seen.layer, seen.head)
    values = seen.of_head("V", seen.layer, seen.head)
    last, wide = len(weights) - 1, min(16, seen.pitch * 0.42)
    unit = min(24, seen.pitch / 2 - 1) / np.abs(values).max()

    def arcs(rows: Iterable[int]) -> Iterable[dict[str, Any]]:
        for i in rows:
            for j in np.flatnonzero(weights[i] >= FAINTEST).tolist():
                d = arc(seen.middle(j), seen.middle(i), ARC_FROM, ARC_TO)
                yield {"d": d, "stroke-width": at(max(0.6, weights[i, j] * wide))}

    heights = [seen.middle(row) for row in range(last + 1)]
    parts = [
        marks("far", "path", arcs(range(last))),
        marks("near", "path", arcs([last])),
        marks("keys", "text", text(74, heights, seen.words)),
        marks("shares", "text", _shares(heights, weights[last])),
        marks("key", "circle", ({"cx": 122, "cy": at(y), "r": 4} for y in heights)),
        marks("value", "path", (
            {"d": waveform(130, y, row, 24 / len(row), unit)}
            for y, row in zip(heights, values.tolist(), strict=True)
        )),
        marks("query", "circle", [{"cx": ARC_TO + 18, "cy": at(heights[-1]), "r": 6}]),
        marks("add", "circle", [{"cx": 340, "cy": at(heights[-1]), "r": 8}]),
        marks("plus", "path", [{"d": plus(heights[-1])}]),
    ]  # fmt: skip
    return TIP + lines(seen, 352, ARC_TO) + "".join(parts)


def plus(y: float) -> str:
    """Draw a plus sign."""
    return f"M334.5 {at(y)}h11M340 {at(y - 5.5)}v11"


def text(x: float, heights: Iterable[float], said: Iterable[str]) -> Iterable[dict[str, Any]]:
    """Write one text per line, which ends at x."""
    for y, each in zip(heights, said, strict=True):
        yield {"x": x, "y": at(y + 4), "text": each}


def _shares(heights: Iterable[float], weights: Array) -> Iterable[dict[str, Any]]:
    said = [fixed(weight, 2) for weight in weights]
    for each in text(112, heights, said):
        yield each | {"class": "flow-nil" if each["text"] == "0.00" else "flow-share"}


def small(seen: Seen, layer: int, head: int) -> str:
    """Draw a head without its words."""
    weights, step = seen.of_head("weights", layer, head), 46 / len(seen.ids)
    arcs = (
        {"d": arc((j + 0.5) * step, (i + 0.5) * step, 3, 33), "stroke-width": at(w * 2.2)}
        for (i, j), w in np.ndenumerate(weights)
        if w >= FAINTEST_SMALL
    )
    return f'<svg viewBox="0 0 36 46">{marks("small", "path", arcs)}</svg>'


def stream(seen: Seen) -> str:
    """Draw a ribbon for each next token, as thick as its probability at each point."""
    xs = points(seen)
    rows = [*seen.early[:, seen.first].T, 1 - seen.early[:, seen.first].sum(axis=1)]
    middles = [(row + 0.5) * ROW for row in range(SHOWN + 1)]
    start = seen.middle(len(seen.ids) - 1)
    ribbons = (
        {"d": ribbon(y, halves(shares), [*xs, STREAM_END])}
        for y, shares in zip(middles, rows, strict=True)
    )
    return (
        marks("guides", "path", ({"d": f"M{at(x)} 0V{HEIGHT}"} for x in xs))
        + marks("fan", "path", ({"d": arc(start, y, 0, STREAM_FROM)} for y in middles))
        + marks("ribbons", "path", ribbons)
        + marks("names", "text", ({"x": STREAM_FROM + 10, "y": at(y - 9), "text": seen.tokens[i]}
                                  for y, i in zip(middles, seen.first, strict=False)))
    )  # fmt: skip


def points(seen: Seen) -> list[float]:
    """Return the points where the stream is read: at its start and after each part."""
    return [float(x) for x in np.linspace(STREAM_FROM, STREAM_TO, len(seen.early))]


def halves(shares: Array) -> list[float]:
    """Return half the thickness of a ribbon at each point; the last is repeated at the bars."""
    reach = [max(0.3, float(share) * (ROW - 4) / 2) for share in shares]
    return [*reach, reach[-1]]
