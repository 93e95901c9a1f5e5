"""What a run reports: a line while it continues, and a CSV file or curves of each step."""

import csv
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

REFRESH = 0.2  # seconds between two updates of a line that is rewritten
Row = Mapping[str, float | int | None]
Log = Callable[[Row], None]


def csv_log(path: str | Path) -> Log:
    """Return a log that writes one line per step; a resumed run continues in the same file.

    Args:
        path: the path of the file, in a folder that exists.
    """
    file, begun = Path(path), list[bool]()

    def write(row: Row) -> None:
        if not begun:
            _keep_before(file, row)
            begun.append(True)
        with file.open("a", newline="", encoding="utf-8") as opened:
            csv.DictWriter(opened, list(row), lineterminator="\n").writerow(row)

    return write


def tensorboard_log(folder: str | Path) -> Log:
    """Return a log of curves that TensorBoard shows; a resumed run continues the same curves.

    Args:
        folder: the folder that the log writes to.

    Raises:
        ModuleNotFoundError: the package tensorboard is not installed.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "this log needs tensorboard, which is not installed: pip install tensorboard"
        ) from None
    begun = list[SummaryWriter]()

    def write(row: Row) -> None:
        if not begun:
            # A run that was killed may have written steps that are taken again.
            begun.append(SummaryWriter(str(folder), purge_step=row["step"]))
        for name, value in row.items():
            if name != "step" and value is not None:
                begun[0].add_scalar(name, value, row["step"])
        begun[0].flush()

    return write


def _keep_before(file: Path, row: Row) -> None:
    """Leave the lines of the steps before this one: a run that was killed may have written more."""
    step = row["step"] or 0
    old: list[dict[str, str]] = []
    if file.exists() and step > 1:
        with file.open(newline="", encoding="utf-8") as opened:
            old = [line for line in csv.DictReader(opened) if int(line["step"]) < step]
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, list(row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(old)


class Progress:
    """Shows one line of progress while a model trains.

    In a terminal the line is rewritten in place and stays. In a notebook it ends as it began, with
    only the number of steps, so that the stored output is the same in every run. Elsewhere, such as
    in a log file, a line is added after each tenth of the steps.

    Args:
        steps: the number of all steps.
        shown: whether to show anything.
    """

    def __init__(self, steps: int, *, shown: bool) -> None:
        self.steps, self.shown = steps, shown
        self.at_rest = f"Training: {steps} steps"
        self.cell: Any = None
        self.start = self.last = time.perf_counter()
        self.begun_at: int | None = None

    def __enter__(self) -> "Progress":
        if self.shown and in_notebook():
            from IPython.display import display

            self.cell = display(_text(self.at_rest), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        return self

    def show(self, step: int, loss: float) -> None:
        """Show that a step is done, with its loss."""
        if self.begun_at is None:
            self.begun_at = step - 1
        if not self.shown or not self._due(step):
            return
        self.last = time.perf_counter()
        left = (self.last - self.start) / (step - self.begun_at) * (self.steps - step)
        filled = 20 * step // self.steps
        bar = "#" * filled + "." * (20 - filled)
        self._write(f"[{bar}] step {step} of {self.steps}  loss {loss:.4f}  {_duration(left)} left")

    def __exit__(self, *error: object) -> None:
        if self.cell is not None:
            self.cell.update(_text(self.at_rest), raw=True)
        elif self.shown and self.begun_at is not None and sys.stdout.isatty():
            print()

    def _due(self, step: int) -> bool:
        if self.cell is not None or sys.stdout.isatty():
            return step == self.steps or time.perf_counter() - self.last > REFRESH
        return 10 * step // self.steps > 10 * (step - 1) // self.steps

    def _write(self, line: str) -> None:
        if self.cell is not None:
            self.cell.update(_text(line), raw=True)
        elif sys.stdout.isatty():
            print(f"\r{line:<79}", end="", flush=True)
        else:
            print(line, flush=True)


def in_notebook() -> bool:
    """Return whether the code runs in the kernel of a notebook."""
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _text(line: str) -> dict[str, str]:
    return {"text/plain": line}


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
