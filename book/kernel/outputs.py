"""What a cell gives: streams, displays and errors, in the order in which they came."""

import io
import zlib
from typing import Any

from IPython.lib.pretty import pretty

Data = dict[str, Any]

VIEW = "application/vnd.jupyter.widget-view+json"
REPRESENTATIONS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "image/svg+xml": "_repr_svg_",
}
SEEN = ("text/html", "image/svg+xml", "text/markdown", "text/plain")
"""The kinds that a page shows, the first that there is."""

CHART = 'class="tl-chart"'
"""What stands in the HTML of a chart."""

MOST_TEXT = 200_000  # characters of a stream: a loop that prints must not fill the page


class Outputs:
    """The outputs of one cell."""

    def __init__(self) -> None:
        self.items: list[Data] = []

    def write(self, name: str, text: str) -> None:
        """Add text to a stream; what is over the limit is left out."""
        if not (self.items and self.items[-1].get("name") == name):
            self.items.append({"kind": "stream", "name": name, "text": ""})
        room = MOST_TEXT - len(self.items[-1]["text"])
        if 0 < room < len(text):
            text = text[:room] + "\n(the rest is left out)\n"
        if room > 0:
            self.items[-1]["text"] += text

    def show(self, data: Data) -> None:
        """Add something displayed."""
        self.items.append({"kind": "display", "data": data})

    def fail(self, text: str, says: str) -> None:
        """Add a traceback and what stands at its end."""
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
    if mime := getattr(value, "_repr_mimebundle_", None):
        found = mime()
        data |= found[0] if isinstance(found, tuple) else found or {}
    for kind, name in REPRESENTATIONS.items():
        made = getattr(value, name, None)
        if kind not in data and made and (shown := made()) is not None:
            data[kind] = shown
    return data


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
