"""Positions as clocks: each pair of columns of the sinusoidal encoding is one hand."""

import math

from transformer_lib.formulas.position import frequencies
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import pixels, positive, settled, significant
from transformer_lib.plot.style import DRAWINGS_STYLE

RADIUS = 40


def clocks(position: float, d_model: int, *, base: float = 10000.0, title: str = "") -> Markup:
    """Draw one dial per pair of columns; a hand reaches right by its sine and up by its cosine.

    Args:
        position: the position of the token, counted from 0.
        d_model: the dimension, an even number; d_model / 2 dials are drawn.
        base: the slowest hand needs nearly 2 pi base positions for a turn.
        title: shown above the dials.

    Raises:
        ValueError: position is negative or not finite, d_model is not a positive even number, or
            base is not positive.

    Source: Vaswani et al. (2017), section 3.5.

    >>> clocks(3, 4)
    position 3
    columns 0, 1: period 6.28, hand at 172°
    columns 2, 3: period 628, hand at 2°
    """
    if not 0 <= position < math.inf:
        raise ValueError(f"position must be 0 or more and finite, got {position}")
    if d_model < 2 or d_model % 2:
        raise ValueError(f"d_model must be a positive even number, got {d_model}")
    positive("base", base)
    speeds = [float(speed) for speed in frequencies(d_model, base=base)]
    angles = [position * speed % math.tau for speed in speeds]
    pairs = [f"columns {2 * i}, {2 * i + 1}" for i in range(len(speeds))]
    periods = [f"period {significant(math.tau / speed)}" for speed in speeds]
    said = [
        f"{pair}: {period}, hand at {round(settled(math.degrees(angle)))}°"
        for pair, period, angle in zip(pairs, periods, angles, strict=True)
    ]
    dials = "".join(
        f"<figure>{_dial(angle)}<figcaption>{pair}<br>{period}</figcaption></figure>"
        for angle, pair, period in zip(angles, pairs, periods, strict=True)
    )
    heading = title or f"position {position:g}"
    spoken = escape(f"{heading}. {'; '.join(said)}.")
    html = (
        f'<div class="tl-clocks" role="img" aria-label="{spoken}">'
        f"<b>{escape(heading)}</b>{dials}</div>"
    )
    return Markup(html, "\n".join([heading, *said]), (DRAWINGS_STYLE,))


def _dial(angle: float) -> str:
    """Draw a dial whose hand has turned clockwise from the top; the way that it came is tinted."""
    x, y = pixels(RADIUS * math.sin(angle)), pixels(-RADIUS * math.cos(angle))
    swept = f"M0 0V{-RADIUS}A{RADIUS} {RADIUS} 0 {int(angle > math.pi)} 1 {x} {y}Z"
    return (
        f'<svg viewBox="-46 -46 92 92" aria-hidden="true"><circle r="{RADIUS}"/>'
        f'<path class="tl-swept" d="{swept}"/><path class="tl-tick" d="M0 -{RADIUS}v8"/>'
        f'<path class="tl-hand" d="M0 0L{x} {y}"/><circle class="tl-tip" cx="{x}" cy="{y}" r="4"/>'
        "</svg>"
    )
