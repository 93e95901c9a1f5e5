"""Logs of a run: one line per step in a CSV file, or curves for TensorBoard."""

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

Row = Mapping[str, float | int | None]
Log = Callable[[Row], None]


def csv_log(path: str | Path) -> Log:
    """Return a log that writes one line per step; a run that is resumed goes on in the same file.

    Args:
        path: of the file, in a folder that exists.
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
    """Return a log of curves that TensorBoard shows; a run that is resumed goes on in them.

    Args:
        folder: where it writes.

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
