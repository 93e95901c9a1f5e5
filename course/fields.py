"""What views that compute for a while are made of: fields, buttons, and one thing at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import ipywidgets

from transformer_lib.widgets.box import refused

NO_ROOM = "This browser has no room for the model, which needs about 650 MB of memory."
BUSY = "<p>Another computation goes on. Wait for its end or press Stop, and press again.</p>"
FIELDS = """<style>
.tl-sentence:is(.widget-text, .widget-textarea) {
  flex-direction: column; align-items: stretch; height: auto;
}
.tl-sentence:is(.widget-text, .widget-textarea) > label.widget-label {
  width: auto; height: auto; text-align: left; white-space: normal;
}
.tl-sentence > :is(input, textarea) { flex: none; width: 100%; }
</style>"""
"""A sentence has the whole width, below its name, so that its last word is seen."""


class Doing:
    """The one thing that goes on while the page is used, until it is done or stopped."""

    def __init__(self) -> None:
        """Nothing goes on yet."""
        self.task: asyncio.Task[None] | None = None

    def begin(self, act: Callable[[], Coroutine[Any, Any, None]], tell: ipywidgets.HTML) -> None:
        """Start one thing, or say that another one goes on; say why where it fails."""

        async def answered() -> None:
            try:
                await act()
            except asyncio.CancelledError:
                tell.value += "<p>Stopped.</p>"
            except MemoryError:
                tell.value = refused(NO_ROOM)
            except (OSError, ValueError) as error:
                tell.value = refused(error)

        if self.task is not None and not self.task.done():
            tell.value = BUSY
        else:
            self.task = asyncio.get_running_loop().create_task(answered())

    def stop(self) -> None:
        """End what goes on."""
        if self.task is not None:
            self.task.cancel()


def button(name: str, act: Callable[[], None]) -> ipywidgets.Button:
    """Return a button that does something."""
    made = ipywidgets.Button(description=name)
    made.on_click(lambda _: act())
    return made


def sentence(name: str, text: str) -> ipywidgets.Text:
    """Return a field for a sentence, as wide as the text of the page."""
    made = ipywidgets.Text(value=text, description=name, layout={"width": "min(46em, 100% - 4px)"})
    made.add_class("tl-sentence")
    return made


def row(*fields: Any) -> ipywidgets.HBox:
    """Put fields side by side as far as there is room."""
    for field in fields:
        field.layout = {"width": "auto"}
        if not isinstance(field, ipywidgets.Button):
            field.style.description_width = "initial"
    return ipywidgets.HBox(fields, layout={"flex_flow": "row wrap"})
