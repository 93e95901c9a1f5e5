"""A line that tells how far training is, what the loss is and how long the rest will take."""

import sys
import time
from types import TracebackType

REFRESH = 0.2  # seconds between two updates of the line


class Progress:
    """Shows one line while training.

    In a terminal the line is rewritten in place and stays. In a notebook it is taken away at the
    end, so that the stored output does not change from run to run; with it goes what the cell
    printed before. Elsewhere, such as in a log file, a tenth of the steps adds a line.

    Args:
        steps: how many there will be.
        shown: whether to show anything.
    """

    def __init__(self, steps: int, *, shown: bool) -> None:
        self.steps, self.shown = steps, shown
        self.notebook = "ipykernel" in sys.modules and _in_kernel()
        self.in_place = self.notebook or sys.stdout.isatty()
        self.start = self.last = time.perf_counter()
        self.first: int | None = None

    def __enter__(self) -> "Progress":
        return self

    def show(self, step: int, loss: float) -> None:
        """Tell that a step is done, with its loss."""
        if self.first is None:
            self.first = step - 1
        if not self.shown or not self._due(step):
            return
        self.last = time.perf_counter()
        left = (self.last - self.start) / (step - self.first) * (self.steps - step)
        filled = 20 * step // self.steps
        bar = "#" * filled + "." * (20 - filled)
        line = f"[{bar}] step {step} of {self.steps}  loss {loss:.4f}  {_duration(left)} left"
        print(f"\r{line:<79}" if self.in_place else line, end="" if self.in_place else "\n")
        sys.stdout.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self.shown or self.first is None or not self.in_place:
            return
        if self.notebook:
            from IPython.display import clear_output

            clear_output()  # type: ignore[no-untyped-call]
        else:
            print()

    def _due(self, step: int) -> bool:
        if step == self.steps:
            return True
        if self.in_place:
            return time.perf_counter() - self.last > REFRESH
        return 10 * step // self.steps > 10 * (step - 1) // self.steps


def _in_kernel() -> bool:
    from IPython import get_ipython

    return get_ipython() is not None


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
