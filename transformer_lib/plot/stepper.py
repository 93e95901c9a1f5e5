"""Steps in tabs, with one in focus: what an attention head, a block or a beam search does."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from transformer_lib.plot.markup import Content, Markup, escape, join
from transformer_lib.plot.style import PARTS_SCRIPT, PARTS_STYLE, TABLE_STYLE

MOST = 12  # as many as the style knows
MOVES = (
    '<div class="tl-moves"><button type="button" data-step="-1">Back</button>'
    '<button type="button" data-step="1">Next</button></div>'
)


class Step(NamedTuple):
    """One step: its name, one sentence about what happens, and what is shown."""

    name: str
    says: str
    shows: Content


def stepper(title: str, steps: Sequence[Step | tuple[str, str, Content]]) -> Markup:
    """Show steps in tabs with Back and Next; on paper or without style, show all in a row.

    Args:
        title: the name of the computation.
        steps: the steps, each with a name, a sentence (inline HTML) and a display.

    Raises:
        ValueError: fewer than two steps or more than twelve are given.

    >>> stepper("Half of 6", [("given", "A number.", "6"), ("halved", "Half of it.", "3")])
    Half of 6
    1 given: A number.
    6
    2 halved: Half of it.
    3
    """
    if not 2 <= len(steps) <= MOST:
        raise ValueError(f"steps must be from 2 to {MOST}, got {len(steps)}")
    made = [Step(*step) for step in steps]
    shown = [join(step.shows) for step in made]
    tabs = [f"<b>{i}</b> {escape(step.name)}" for i, step in enumerate(made, start=1)]
    panels = [f"<p>{step.says}</p>{piece.html}" for step, piece in zip(made, shown, strict=True)]
    # An id that follows from the content alone.
    content = "".join([*(piece.html for piece in shown), title])
    id = "tl-" + hashlib.sha256(content.encode()).hexdigest()[:10]
    html = _tabbed(title, tabs, panels, id)
    lines = [title]
    for i, (step, piece) in enumerate(zip(made, shown, strict=True), start=1):
        lines += [f"{i} {step.name}: {join(step.says).text}", piece.text]
    head = dict.fromkeys(
        [TABLE_STYLE, PARTS_STYLE, PARTS_SCRIPT, *(tag for piece in shown for tag in piece.head)]
    )
    return Markup(html, "\n".join(lines), tuple(head))


def _tabbed(title: str, tabs: Sequence[str], panels: Sequence[str], id: str) -> str:
    """Return panels of HTML behind tabs, which are radio buttons: no script is needed."""
    buttons = "".join(
        f'<input type="radio" name="{id}" id="{id}-{i}"{" checked" * (i == 1)}>'
        f'<label for="{id}-{i}">{tab}</label>'
        for i, tab in enumerate(tabs, start=1)
    )
    shown = "".join(f"<section>{panel}</section>" for panel in panels)
    return (
        f'<fieldset class="tl-stepper"><legend>{escape(title)}</legend>'
        f'{buttons}<div class="tl-panels">{shown}</div>{MOVES}</fieldset>'
    )
