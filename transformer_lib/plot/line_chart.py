"""Line charts: reproducible SVG of matplotlib, described in words and fit for both themes."""

import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from transformer_lib.formulas import checks
from transformer_lib.plot.line_ends import name_ends, show_all
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, significant
from transformer_lib.plot.style import DRAWINGS_STYLE, OLIVE, RASPBERRY, SLATE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A color that matplotlib uses nowhere else, replaced by the color of the page's text.
_INK = "#010203"
# Told apart by color-blind eyes and by dash and marker too; contrast of 3 or more on both themes.
LINES = [
    (f"#{bytes(RASPBERRY).hex()}", "-", "o"),
    (f"#{bytes(OLIVE).hex()}", "--", "s"),
    (_INK, "-.", "^"),
    (f"#{bytes(SLATE).hex()}", ":", "D"),
]
BETWEEN = "tl-between"  # a number at an axis that a phone leaves out
NARROW = 1.3  # how much wider letters are there, with the gap between two numbers
UNSEEN = 1e-9  # the part of the largest height below which a height is 0 in words
_SETTINGS: dict[Any, object] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "transformer_lib",
    "font.size": 11,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.2,
    "grid.color": _INK,
}


def line_chart(
    x: Any,
    lines: Mapping[str, Any],
    *,
    xlabel: str,
    ylabel: str,
    title: str = "",
    xlog: bool = False,
    ylog: bool = False,
    bands: Mapping[str, Any] | None = None,
) -> Markup:
    """Draw up to four lines over the same x, each named at its end, with a computed description.

    Args:
        x: the points, a vector.
        lines: the heights of each line by its name.
        xlabel: what x is.
        ylabel: what the heights are.
        title: shown above the chart.
        xlog: whether the x axis is logarithmic.
        ylog: whether the y axis is logarithmic.
        bands: how far an interval reaches on each side of a line, by the name of the line.

    Raises:
        ValueError: the lines are not one to four, a line or a band does not have one number per
            point, or a band is that of no line.
    """
    points = _vector(x, "x")
    if not 1 <= len(lines) <= len(LINES):
        raise ValueError(f"lines must be from 1 to {len(LINES)}, got {len(lines)}")
    heights = {name: _vector(values, name) for name, values in lines.items()}
    reach = {name: _vector(values, name) for name, values in (bands or {}).items()}
    if strange := sorted({*reach} - {*heights}):
        raise ValueError(f"bands must be of {', '.join(heights)}, got {strange[0]!r}")
    for name, values in (*heights.items(), *reach.items()):
        if len(values) != len(points):
            raise ValueError(
                f"{name} must have {len(points)} numbers, as many as x, got {len(values)}"
            )
    labels = {"xlabel": xlabel, "ylabel": ylabel, "title": title}
    scales = {"xscale": "log" if xlog else "linear", "yscale": "log" if ylog else "linear"}
    settings = labels | scales
    described = _describe(points, heights, reach, settings)
    svg = _inline(_draw(points, heights, reach, settings), described)
    # In HTML a long title wraps; in the picture it would be cut off.
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    html = f'<figure class="tl-chart">{caption}{svg}</figure>'
    return Markup(html, described, (DRAWINGS_STYLE,))


def loss_curve(losses: Sequence[float], *, floor: float | None = None, points: int = 100) -> Markup:
    """Draw the loss over the steps; each point is the mean over an equal share of the steps.

    Args:
        losses: one loss per step, such as `train(...).losses`.
        floor: a value to draw as a line, such as the entropy per token of the language.
        points: the greatest number of points to draw.

    Raises:
        ValueError: no step was taken, or points is not an integer of 1 or more.

    >>> loss_curve([4.0, 2.0, 1.0, 1.0], points=2)
    Line chart. nats per token over step from 2 to 4. loss goes from 3 to 1, lowest 1, highest 3.
    """
    checks.count(1, points=points)
    if not len(losses):  # an array too
        raise ValueError("losses must contain at least one step, got none")
    size = -(-len(losses) // points)
    shares = [losses[i : i + size] for i in range(0, len(losses), size)]
    x = [min((i + 1) * size, len(losses)) for i in range(len(shares))]
    lines = {"loss": [sum(share) / len(share) for share in shares]}
    if floor is not None:
        lines["floor"] = [floor] * len(x)
    return line_chart(x, lines, xlabel="step", ylabel="nats per token")


def _vector(values: Any, name: str) -> NDArray[np.float64]:
    array = as_matrix(values, name)
    if array.shape[0] != 1:
        raise ValueError(f"{name} must be a vector, got {array.shape}")
    return array.reshape(-1)


def _draw(
    x: NDArray[np.float64],
    heights: dict[str, NDArray[np.float64]],
    reach: dict[str, NDArray[np.float64]],
    settings: dict[str, str],
) -> str:
    # Imported here so that a chapter without charts does not wait for matplotlib.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        figure = Figure(figsize=(5.4, 3.4), layout="constrained")
        axes = figure.add_subplot()
        few = len(x) <= 20
        for (name, y), (color, dash, marker) in zip(heights.items(), LINES, strict=False):
            if name in reach:
                edge = np.concatenate([y - reach[name], (y + reach[name])[::-1]])
                there_and_back = np.concatenate([x, x[::-1]])
                axes.fill(there_and_back, edge, color=color, alpha=0.2, linewidth=0)
            axes.plot(x, y, dash, color=color, marker=marker if few else "", markersize=5)
        axes.set(**{key: value for key, value in settings.items() if key != "title"})
        is_each_labelled = settings["xscale"] == "log" and len(x) <= 10
        if is_each_labelled:
            axes.set_xticks(x, [significant(point) for point in x])
            axes.minorticks_off()
        if len(heights) > 1:
            figure.draw_without_rendering()  # only then is it known how high the axes are
            show_all(axes)
            name_ends(axes, list(heights))
        svg = _saved(figure)
        return _saved(figure) if is_each_labelled and _mark_between(figure, axes) else svg


def _saved(figure: "Figure") -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return file.getvalue()


def _mark_between(figure: "Figure", axes: "Axes") -> bool:
    """Mark every other number of an axis on which a phone has no room for all of them."""
    figure.draw_without_rendering()  # what was saved has another size of pixels
    labels = axes.get_xticklabels()
    boxes = [label.get_window_extent() for label in labels]
    are_close = any(
        right.x0 + right.x1 - left.x0 - left.x1 < NARROW * (left.width + right.width)
        for left, right in pairwise(boxes)
    )
    for label in labels[-2::-2] if are_close else []:
        label.set_gid(BETWEEN)
    return are_close


def _renamed(svg: str) -> str:
    """Name clips after what is drawn: matplotlib's names hang on the last bits of places."""
    digest = hashlib.sha256(re.sub(r"\bp[0-9a-f]{10}\b", "", svg).encode()).hexdigest()[:8]
    for i, name in enumerate(dict.fromkeys(re.findall(r'id="(p[0-9a-f]{10})"', svg))):
        svg = svg.replace(name, f"p{digest}{i:02d}")
    return svg


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}"


def _inline(svg: str, described: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # Ids of groups repeat from chart to chart and nothing refers to them.
    svg = svg.replace(f'<g id="{BETWEEN}"', f'<g class="{BETWEEN}"')
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    # A style sheet inside inline SVG would hold for the whole page.
    svg = re.sub(r"<!--.*?-->|<style.*?</style>", "", svg, flags=re.DOTALL)
    # Coordinates stand inside tags, the numbers at the axes between them.
    # Rounded and not cut: 110 and 109.9999 are one place on two processors.
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d{2,}", _rounded, tag[0]), svg)
    svg = _renamed(svg.replace(_INK, "currentColor"))
    svg = re.sub(r"; font-family: [^;\"]*", "", svg)
    svg = re.sub(r">\s+<", "><", svg).strip()
    opening = (
        f'<svg role="img" aria-label="{escape(described)}" viewBox="\\1" '
        'style="width:100%;max-width:34rem;height:auto;stroke-linejoin:round" '
        'xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    return re.sub(r'<svg[^>]*?viewBox="([^"]*)"[^>]*>', opening, svg, count=1)


def _describe(
    x: NDArray[np.float64],
    heights: dict[str, NDArray[np.float64]],
    reach: dict[str, NDArray[np.float64]],
    labels: dict[str, str],
) -> str:
    start, end = significant(x[0]), significant(x[-1])
    parts = [f"{name} {_course(y, labels['yscale'])}" for name, y in heights.items()]
    for name in (name for name in heights if name in reach):
        parts.append(f"the band of {name} reaches {significant(reach[name].max())} at most")
    subject = f"{labels['title']}: " if labels["title"] else ""
    axes = f"{labels['ylabel']} over {labels['xlabel']} from {start} to {end}"
    return f"Line chart. {subject}{axes}. {'; '.join(parts)}."


def _course(y: NDArray[np.float64], scale: str) -> str:
    """Say where a line begins and ends, and how low and high it goes."""
    if scale == "linear":
        # What is left where numbers cancel is nothing that a reader of the chart could see.
        y = np.where(np.abs(y) < UNSEEN * np.nanmax(np.abs(y)), 0.0, y)
    first, last, low, high = map(significant, (y[0], y[-1], np.nanmin(y), np.nanmax(y)))
    if low == high:
        return f"stays at {low}"
    return f"goes from {first} to {last}, lowest {low}, highest {high}"
