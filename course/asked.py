"""A line above an answer: that it is being computed, or that it answers what stood there before."""

from collections.abc import Sequence
from typing import Any

import ipywidgets

COMPUTING = "<p>Computing …</p>"
OLD = "<p><b>The answer below is old:</b> a field has changed since. Press {} again.</p>"


class Asked(ipywidgets.HTML):  # type: ignore[misc]
    """Compares what the fields hold with what they held when the answer below was asked for.

    A press can overtake what is still being typed while Python is busy. Then the answer is to an
    earlier text, and this line says so as soon as the later one arrives.
    """

    def __init__(self, fields: Sequence[Any], press: str) -> None:
        """Watch fields; `press` is the name of the button that asks."""
        super().__init__(layout={"min_height": "2em"})  # so that the answer stays where it is
        self.fields, self.old = list(fields), OLD.format(press)
        self.asked: list[Any] | None = None
        for field in self.fields:
            field.observe(self.compare, "value")

    def begin(self) -> None:
        """Say that the answer to what the fields hold now is being computed."""
        self.note()
        self.value = COMPUTING

    def note(self) -> None:
        """The answer below is to what the fields hold now."""
        self.asked, self.value = self.held(), ""

    def compare(self, _: object = None) -> None:
        """Say whether the answer below is to what the fields hold."""
        self.value = self.old if self.asked not in (None, self.held()) else ""

    def forget(self) -> None:
        """There is no answer any more."""
        self.asked, self.value = None, ""

    def held(self) -> list[str]:
        """What the fields hold, as text: a number that is none would differ from itself."""
        return [repr(field.value) for field in self.fields]
