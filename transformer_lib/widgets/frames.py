"""Frames under sliders: every picture made beforehand, so that no kernel is needed to move."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import ipywidgets

from transformer_lib.plot.markup import Markup, escape, tags
from transformer_lib.widgets.box import Box

MOST_FRAMES = 200
MOST_BYTES = 1_500_000


def frames(
    fn: Callable[..., object],
    *,
    caption: str = "",
    names: Mapping[str, str] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
    start: Mapping[str, int] | None = None,
    **grid: Sequence[Any],
) -> Box:
    """Call `fn` at every point of a small grid and show the frames under one slider a parameter.

    The sliders are linked to the frames in the browser alone, so the page answers without a kernel.

    Args:
        fn: takes the parameters of the grid by name; returns a string of HTML or anything with
            `_repr_html_`.
        caption: the one thing to change and the one thing to notice, in inline HTML.
        names: what a slider is called; the parameter's name unless given.
        labels: how the points of a parameter are called; str(point) unless given.
        start: the index of the first point shown; 0 unless given.
        grid: the points of each parameter, in order.

    Raises:
        ValueError: there is no parameter or no point, names, labels or start do not fit the grid,
            or there are more than 200 frames or 1.5 MB.
    """
    names, labels, start = dict(names or {}), dict(labels or {}), dict(start or {})
    _check_grid(grid, names, labels, start)
    head: dict[str, None] = {}
    pages = [
        _page(fn(**dict(zip(grid, point, strict=True))), head) for point in product(*grid.values())
    ]
    size = sum(len(page.encode()) for page in pages)
    if size > MOST_BYTES:
        raise ValueError(f"frames must take at most {MOST_BYTES} bytes together, got {size}")
    sliders = {
        name: _slider(names.get(name, name), labels.get(name, points), start.get(name, 0))
        for name, points in grid.items()
    }
    stack = _linked([ipywidgets.HTML(page) for page in pages], list(sliders.values()))
    note = f'{tags(head)}<p style="font-size:1rem;line-height:1.5">{caption}</p>'
    ranges = ", ".join(
        f"{slider.description} from {slider.options[0]} to {slider.options[-1]}"
        for slider in sliders.values()
    )
    children = [ipywidgets.HTML(note), *sliders.values(), stack]
    return Box(children, f"{len(pages)} frames: {ranges}")


def _check_grid(
    grid: Mapping[str, Sequence[Any]],
    names: Mapping[str, str],
    labels: Mapping[str, Sequence[str]],
    start: Mapping[str, int],
) -> None:
    if not grid or not all(len(points) for points in grid.values()):
        raise ValueError("grid must have at least one parameter and each at least one point")
    count = prod(len(points) for points in grid.values())
    if count > MOST_FRAMES:
        raise ValueError(f"grid must have at most {MOST_FRAMES} points, got {count}")
    unknown = sorted({*names, *labels, *start} - set(grid))
    if unknown:
        raise ValueError(f"names, labels and start must be of the grid's {list(grid)}: {unknown}")
    for name, points in grid.items():
        if len(labels.get(name, points)) != len(points):
            raise ValueError(f"labels of {name} must be {len(points)}, got {len(labels[name])}")
        if not 0 <= start.get(name, 0) < len(points):
            raise ValueError(f"start of {name} must be from 0 to {len(points) - 1}")


def _page(shown: object, head: dict[str, None]) -> str:
    """Return a frame's HTML and move the style tags that it shares with others to `head`."""
    if isinstance(shown, str):
        return shown
    if isinstance(shown, Markup):
        head.update(dict.fromkeys(shown.head))
        return shown.html
    to_html = getattr(shown, "_repr_html_", None)
    return str(to_html()) if to_html else f"<pre>{escape(shown)}</pre>"


def _slider(name: str, labels: Sequence[Any], start: int) -> Any:
    return ipywidgets.SelectionSlider(
        options=[str(label) for label in labels],
        index=start,
        description=name,
        continuous_update=True,
        style={"description_width": "initial"},
        layout={"width": "auto", "max_width": "34rem"},
    )


def _linked(children: list[Any], sliders: list[Any]) -> Any:
    """Stack the frames by the last slider, the stacks by the one before, and so on."""
    for slider in reversed(sliders):
        width = len(slider.options)
        groups = [children[i : i + width] for i in range(0, len(children), width)]
        children = [ipywidgets.Stack(group, selected_index=slider.index) for group in groups]
        for stack in children:
            ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
    return children[0]
