"""The current state of a widget in HTML, which a page shows while no kernel runs."""

from collections.abc import Callable
from typing import Any

import ipywidgets

from transformer_lib.plot.markup import escape

NOTE = (
    "This is its first state. It is live where its page runs, and in JupyterLab: "
    "<code>make lab</code>"
)


def still(widget: Any, note: str = NOTE) -> str:
    """Return a widget and all widgets in it as HTML that cannot be changed."""
    return asleep(_drawn(widget), note)


def asleep(html: str, note: str = NOTE, press: str = "") -> str:
    """Return HTML that represents a widget, below the button that starts the widget itself.

    With `press`, the button has this text, and it then presses the first button of the widget, too.
    """
    # A page that can start a kernel shows the button; elsewhere it would do nothing.
    more = " data-press" if press else ""
    name = escape(press or "Make it live")
    button = f'<button type="button" class="tl-start"{more} hidden>{name}</button>'
    return f'<div class="tl-still"><p>{button} {note}</p>{html}</div>'


def _drawn(widget: Any) -> str:
    if widget.layout.display == "none":
        return ""
    draw = next((DRAW[kind] for kind in type(widget).__mro__ if kind in DRAW), None)
    if draw is None:
        raise ValueError(f"widget must be one of {[k.__name__ for k in DRAW]}, got {widget!r}")
    return draw(widget)


def _box(widget: Any) -> str:
    kind = "tl-fields" if isinstance(widget, ipywidgets.HBox) else "tl-column"
    return f'<div class="{kind}">{"".join(map(_drawn, widget.children))}</div>'


def _labelled(widget: Any, field: str) -> str:
    return f"<label><span>{escape(widget.description)}</span> {field}</label>"


def _text(widget: Any) -> str:
    return _labelled(widget, f'<input type="text" value="{escape(widget.value)}" readonly>')


def _area(widget: Any) -> str:
    text = escape(widget.value)
    return _labelled(widget, f'<textarea rows="{widget.rows}" readonly>\n{text}</textarea>')


def _choice(widget: Any) -> str:
    option = f"<option selected>{escape(widget.label)}</option>"
    return _labelled(widget, f"<select disabled>{option}</select>")


DRAW: dict[type, Callable[[Any], str]] = {
    ipywidgets.Box: _box,
    ipywidgets.HTML: lambda widget: str(widget.value),
    ipywidgets.Textarea: _area,
    ipywidgets.Text: _text,
    ipywidgets.Dropdown: _choice,
    ipywidgets.Button: lambda widget: f"<button disabled>{escape(widget.description)}</button>",
    ipywidgets.BoundedIntText: _text,
    ipywidgets.BoundedFloatText: _text,
    ipywidgets.FloatText: _text,
}
