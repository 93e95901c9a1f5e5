"""The box that holds a widget, with text and HTML that stay the same from run to run."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.widgets.still import NOTE, asleep, still


class Box(ipywidgets.VBox):  # type: ignore[misc]
    """Widgets one below the other; ipywidgets' own text form would list every one of them.

    Where there is a kernel a notebook shows the widgets; a page without one shows them as they
    stand, or else `before`, which moves without a kernel, below the note.
    """

    def __init__(
        self, children: Sequence[Any], text: str, *, note: str = NOTE, before: Markup | None = None
    ) -> None:
        super().__init__(children)
        self.text, self.note, self.before = text, note, before

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**options)
        if self.before is None:
            return shown | {"text/html": still(self, self.note)}
        return shown | {"text/html": asleep("", self.note) + self.before._repr_html_()}


def shown_or_refused(show: Callable[[], Markup]) -> str:
    """Return what `show` shows as HTML, or what is wrong with what was typed."""
    try:
        return show()._repr_html_()
    except ValueError as error:
        return refused(error)


def refused(why: object) -> str:
    """Say what is wrong, as HTML."""
    return f'<p role="alert"><b>✗</b> {escape(why)}</p>'
