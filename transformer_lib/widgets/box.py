"""The box that holds a widget, with text and HTML that are the same in every run."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ipywidgets

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.widgets.still import NOTE, asleep, still


class Box(ipywidgets.VBox):  # type: ignore[misc]
    """A column of widgets with a short text form; that of ipywidgets would list every widget.

    With a kernel, a notebook shows the widgets. A page without a kernel shows the note and, below
    it, `before`, which works without a kernel, or else the widgets in their current state. Where
    `press` is a text, one press of the button with this text also presses the first of the widgets.
    """

    def __init__(
        self,
        children: Sequence[Any],
        text: str,
        *,
        note: str = NOTE,
        before: Markup | None = None,
        press: str = "",
    ) -> None:
        super().__init__(children)
        self.text, self.note, self.before, self.press = text, note, before, press

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**options)
        if self.before is None:
            return shown | {"text/html": still(self, self.note)}
        return shown | {"text/html": asleep("", self.note, self.press) + self.before._repr_html_()}


def shown_or_refused(show: Callable[[], Markup]) -> str:
    """Return the result of `show` as HTML, or a message on what is wrong with the input."""
    try:
        return show()._repr_html_()
    except ValueError as error:
        return refused(error)


def following(fields: Iterable[Any], show: Callable[[], Markup]) -> ipywidgets.HTML:
    """Return the HTML of what `show` returns, which follows each change of the fields."""
    page = ipywidgets.HTML()

    def update(_: object = None) -> None:
        page.value = shown_or_refused(show)

    for field in fields:
        field.observe(update, names="value")
    update()
    return page


def refused(why: object) -> str:
    """Return a message on what is wrong, as HTML."""
    return f'<p role="alert"><b>✗</b> {escape(why)}</p>'
