"""What a cell gives: streams, displays and errors, in the order in which they came."""

import io
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

from IPython.lib.pretty import pretty

Data = dict[str, Any]

VIEW = "application/vnd.jupyter.widget-view+json"
REPRESENTATIONS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "image/svg+xml": "_repr_svg_",
}
SEEN = ("text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain")
"""The kinds that a page shows, the first that there is."""

CHART = 'class="tl-chart"'
"""What stands in the HTML of a chart."""

MOST_TEXT = 200_000  # characters of a stream: a loop that prints must not fill the page


Tell = Callable[[list[Data]], object]
AT_ONCE, EACH_SECOND = 50, 20
"""So many pieces of news a page hears as they come, and then so many a second, in batches."""


class News:
    """Tells the page what a cell has put out since it was told last, but not too often."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told = 0, 0  # items, and characters of the last of them
        self._left, self._at = float(AT_ONCE), time.monotonic()

    def hear(self, items: list[Data]) -> None:
        """Tell what is new, if the page has not heard too much lately."""
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + EACH_SECOND * (now - self._at))
        self._at = now
        if self._left >= 1:
            self._left -= 1
            self._send(items)

    def _send(self, items: list[Data]) -> None:
        count, length = self._told
        news: list[Data] = []
        if len(items) < count:  # `clear_output` has taken back what was told
            count, length, news = 0, 0, [{"kind": "clear"}]
        if length and len(items[count - 1]["text"]) > length:
            grown = items[count - 1]
            news.append(grown | {"text": grown["text"][length:], "goes_on": True})
        self._tell(news + items[count:])
        last = items[-1] if items else {}
        self._told = len(items), len(last["text"]) if last.get("kind") == "stream" else 0


class Outputs:
    """The outputs of one cell.

    Args:
        tell: hears what is new while the cell runs.
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self.items: list[Data] = []
        self._news = News(tell) if tell else None

    def _changed(self) -> None:
        if self._news:
            self._news.hear(self.items)

    def write(self, name: str, text: str) -> None:
        """Add text to a stream; what is over the limit is left out."""
        if not (self.items and self.items[-1].get("name") == name):
            self.items.append({"kind": "stream", "name": name, "text": ""})
        room = MOST_TEXT - len(self.items[-1]["text"])
        if 0 < room < len(text):
            text = text[:room] + "\n(the rest is left out)\n"
        if room > 0:
            self.items[-1]["text"] += text
            self._changed()

    def show(self, data: Data) -> None:
        """Add something displayed."""
        self.items.append({"kind": "display", "data": data})
        self._changed()

    def fail(self, text: str, says: str) -> None:
        """Add a traceback and the sentence at its end, or above it, that says what is wrong."""
        self.items.append({"kind": "error", "text": text, "says": says})

    def stream(self, name: str) -> "Stream":
        """A file that writes here."""
        return Stream(self, name)


class Stream(io.TextIOBase):
    """Standard output or standard error of a cell."""

    def __init__(self, outputs: Outputs, name: str) -> None:
        self._outputs, self._name = outputs, name

    def write(self, text: str) -> int:
        """Write to the cell."""
        self._outputs.write(self._name, text)
        return len(text)


def bundle(value: object) -> Data:
    """Return a value by kind of representation, as IPython would."""
    data: Data = {"text/plain": pretty(value)}  # type: ignore[no-untyped-call]
    if isinstance(value, type):
        return data
    if is_figure(value):
        from book.live.kernel import figures  # which imports matplotlib

        return figures.taken(value)
    if mime := getattr(value, "_repr_mimebundle_", None):
        found = mime()
        data |= found[0] if isinstance(found, tuple) else found or {}
    for kind, name in REPRESENTATIONS.items():
        made = getattr(value, name, None)
        if kind not in data and made and (shown := made()) is not None:
            data[kind] = shown
    return data


def is_figure(value: object) -> bool:
    """Whether a value is a figure of matplotlib, which need not be loaded."""
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def fingerprint(output: Data) -> int:
    """Return a number that is the same for the output that a notebook stores and for ours.

    A chart is known by its words: another version of matplotlib draws it with other curves.
    """
    text = output.get("text", "")
    if "data" in output:
        data = output["data"]
        text = next((data[kind] for kind in SEEN if kind in data), "")
        text = data["text/plain"] if CHART in "".join(text) else text
    return zlib.crc32("".join(text).strip().encode())
