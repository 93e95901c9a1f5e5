"""What IPython's display and ipywidgets ask of an interactive shell, and no more of one."""

import io
from typing import Any, NoReturn

from book.live.kernel.outputs import Data, Outputs, bundle

NO_INPUT = "a page cannot wait for input, so write the value into the cell"


class Keyboard(io.TextIOBase):
    """Standard input, which a page lacks."""

    def read(self, size: int | None = -1) -> NoReturn:
        """Say so."""
        raise EOFError(NO_INPUT)

    readline = read  # which `input` calls


class Formatter:
    """Turns values into data by kind."""

    def format(self, value: object, include: Any = None, exclude: Any = None) -> tuple[Data, Data]:
        """Return the data and its metadata."""
        return bundle(value), {}


class Publisher:
    """Adds what is displayed to the outputs of the cell that runs."""

    def __init__(self) -> None:
        self.outputs = Outputs()

    def publish(self, data: Data, metadata: Data | None = None, **_: Any) -> None:
        """Show data."""
        self.outputs.show(data)

    def clear_output(self, wait: bool = False) -> None:
        """Take back what the cell has shown so far."""
        self.outputs.items.clear()


class InteractiveShell:
    """Stands where IPython's own would; there is one."""

    display_formatter = Formatter()
    display_pub = Publisher()

    @staticmethod
    def initialized() -> bool:
        """There is one."""
        return True

    @classmethod
    def instance(cls) -> "InteractiveShell":
        """Return it."""
        return cls()
