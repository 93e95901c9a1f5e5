"""The widgets that a cell made: closed when the cell runs again, or they would never go."""

import sys
from typing import Any


class Made:
    """Which cell has made which widgets."""

    def __init__(self) -> None:
        self.by_cell: dict[str, list[Any]] = {}

    def begin(self, cell: str) -> None:
        """A cell runs: close what it made when it ran before."""
        for widget in self.by_cell.pop(cell, []):
            widget.close()
        self.before = set(alive())

    def end(self, cell: str) -> None:
        """A cell has run: remember what it made."""
        made = [widget for name, widget in alive().items() if name not in self.before]
        if made:
            self.by_cell[cell] = made


def alive() -> dict[str, Any]:
    """The widgets that are not closed, by the names of their models."""
    module = sys.modules.get("ipywidgets.widgets.widget")
    return dict(module._instances) if module else {}
