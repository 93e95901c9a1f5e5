"""Frames with sliders: every picture is made beforehand, so no kernel is needed to change it."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.style import PARTS_SCRIPT, PARTS_STYLE

MOST_FRAMES = 200
MOST_BYTES = 1_500_000


def frames(
    fn: Callable[..., object],
    *,
    caption: str = "",
    names: Mapping[str, str] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
    start: Mapping[str, int] | None = None,
    menus: Collection[str] = (),
    **grid: Sequence[Any],
) -> Markup:
    """Call `fn` at every point of a small grid and show the frames with one slider per parameter.

    The page contains all frames, and a short script shows one of them, so no kernel is needed.

    Args:
        fn: takes the parameters of the grid by name; returns a string of HTML or anything with
            `_repr_html_`.
        caption: the one thing to change and the one thing to notice, in inline HTML.
        names: what a slider is called; the parameter's name unless given.
        labels: what the points of a parameter are called; str(point) unless given.
        start: the index of the first point shown; 0 unless given.
        menus: the parameters whose points have no order; they get a menu instead of a slider.
        grid: the points of each parameter, in order.

    Raises:
        ValueError: no parameter or no point is given, names, labels or start do not fit the grid,
            or the frames are more than 200 or larger than 1.5 MB.
    """
    names, labels, start = dict(names or {}), dict(labels or {}), dict(start or {})
    _check_grid(grid, names, labels, start, menus)
    head = dict.fromkeys((PARTS_STYLE, PARTS_SCRIPT))
    pages = [
        _page(fn(**dict(zip(grid, point, strict=True))), head) for point in product(*grid.values())
    ]
    size = sum(len(page.encode()) for page in pages)
    if size > MOST_BYTES:
        raise ValueError(f"frames must take at most {MOST_BYTES} bytes together, got {size}")
    stops = {name: [str(x) for x in labels.get(name, points)] for name, points in grid.items()}
    titles = {name: names.get(name, name) for name in grid}
    sliders = "".join(
        (_menu if name in menus else _slider)(titles[name], stops[name], start.get(name, 0))
        for name in grid
    )
    first = 0
    for name, points in grid.items():
        first = first * len(points) + start.get(name, 0)
    html = (
        f'<div class="tl-frames"><p>{caption}</p>{sliders}'
        f'<div class="tl-frame" aria-live="polite">{pages[first]}</div>'
        + "".join(f"<template>{page}</template>" for page in pages)
        + "</div>"
    )
    ranges = ", ".join(f"{titles[n]} from {stops[n][0]} to {stops[n][-1]}" for n in grid)
    return Markup(html, f"{len(pages)} frames: {ranges}", tuple(head))


def _check_grid(
    grid: Mapping[str, Sequence[Any]],
    names: Mapping[str, str],
    labels: Mapping[str, Sequence[str]],
    start: Mapping[str, int],
    menus: Collection[str],
) -> None:
    if not grid or not all(len(points) for points in grid.values()):
        raise ValueError("grid must have at least one parameter and each at least one point")
    count = prod(len(points) for points in grid.values())
    if count > MOST_FRAMES:
        raise ValueError(f"grid must have at most {MOST_FRAMES} points, got {count}")
    unknown = sorted({*names, *labels, *start, *menus} - set(grid))
    if unknown:
        raise ValueError(
            f"names, labels, start and menus must be of the grid's {list(grid)}: {unknown}"
        )
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


def _slider(title: str, stops: Sequence[str], start: int) -> str:
    labels = escape(json.dumps(list(stops), ensure_ascii=False))
    return (
        f'<label><span>{escape(title)}</span> <input type="range" min="0" max="{len(stops) - 1}" '
        f'value="{start}" aria-valuetext="{escape(stops[start])}" data-stops="{labels}"> '
        f"<output>{escape(stops[start])}</output></label>"
    )


def _menu(title: str, stops: Sequence[str], start: int) -> str:
    options = "".join(
        f'<option value="{i}"{" selected" * (i == start)}>{escape(stop)}</option>'
        for i, stop in enumerate(stops)
    )
    return f"<label><span>{escape(title)}</span> <select>{options}</select></label>"
