"""The box that holds a widget, with a text form that stays the same from run to run."""

from collections.abc import Sequence
from typing import Any

import ipywidgets


class Box(ipywidgets.VBox):  # type: ignore[misc]
    """Widgets one below the other; ipywidgets' own text form would list every frame."""

    def __init__(self, children: Sequence[Any], text: str) -> None:
        super().__init__(children)
        self.text = text

    def __repr__(self) -> str:
        return self.text
