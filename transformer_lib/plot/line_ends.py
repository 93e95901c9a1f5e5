"""The names at the ends of a chart's lines; no name or line is hidden by another."""

import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS = 16  # a longer name wraps
POINTS = 13.5  # from one line of a name to the next
NEAR = 2.0  # lines that are so many points apart look like one


def name_ends(axes: "Axes", names: Sequence[str]) -> None:
    """Write the name of each line to the right of its last point, joined to it by a thin line."""
    wrapped = [textwrap.fill(name, LETTERS) for name in names]
    ends = [_last(np.asarray(line.get_xydata(), dtype=float)) for line in axes.lines]
    inch = axes.figure.dpi / 72
    top = axes.get_window_extent().height / inch
    # Rounded, so that the last bits of equal ends do not say which name stands above.
    heights = [round(float(_points(axes, end[None])[0, 1]), 1) for end in ends]
    sizes = [POINTS * (1 + name.count("\n")) + 2 for name in wrapped]
    for name, end, middle, line in zip(
        wrapped, ends, spread(heights, sizes, top), axes.lines, strict=True
    ):
        axes.annotate(
            name,
            xy=(end[0], end[1]),
            xytext=(1.05, middle / top),
            textcoords="axes fraction",
            verticalalignment="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "relpos": (0, 0.5),
                "color": line.get_color(),
                "linestyle": line.get_linestyle(),
                "shrinkA": 1,
                "shrinkB": 0,
            },
        )


def spread(wanted: Sequence[float], sizes: Sequence[float], top: float) -> list[float]:
    """Move names of these sizes up or down from the wanted heights until no two overlap.

    >>> spread([50, 51, 10], [10, 10, 10], 55)
    [40.0, 50.0, 10]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    for below, i in pairwise(order):
        placed[i] = max(placed[i], placed[below] + (sizes[below] + sizes[i]) / 2)
    ceiling = top
    for i in reversed(order):
        placed[i] = min(placed[i], ceiling - sizes[i] / 2)
        ceiling = placed[i] - sizes[i] / 2
    return placed


def show_all(axes: "Axes") -> None:
    """Thicken each line that others cover, so that it remains visible on both sides of them."""
    drawn = [_points(axes, np.asarray(line.get_xydata(), dtype=float)) for line in axes.lines]
    for i, (line, own) in enumerate(zip(axes.lines, drawn, strict=True)):
        covers = sum(_near(own, other) for other in drawn[i + 1 :])
        line.set_linewidth(1.5 + 2.5 * covers)
        line.set_markersize(5 + 3 * covers)


def _near(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool(np.mean(np.abs(one[:, 1] - other[:, 1]) < NEAR) > 0.25)


def _points(axes: "Axes", xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places in points from the lower left corner of the axes."""
    corner = axes.get_window_extent().p0
    placed = np.asarray(axes.transData.transform(xy), dtype=float)
    points: NDArray[np.float64] = (placed - corner) * 72 / axes.figure.dpi
    return points


def _last(xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the last point that is drawn."""
    drawn = np.flatnonzero(np.isfinite(xy).all(axis=1))
    last: NDArray[np.float64] = xy[drawn[-1] if len(drawn) else -1]
    return last
