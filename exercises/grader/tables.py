"""CSV files that a person wrote: rows that know their line, so that an error can name it."""

import csv
import datetime
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

# Moodle's own sheets write a time so, in English, with the day first or the month first.
SPELLED = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p")


class Row(NamedTuple):
    """A row of a table; `place` is the file and the line for an error."""

    place: str
    columns: Mapping[str, str]

    def get(self, column: str) -> str:
        """Return what stands in a column, "" if there is no such column."""
        return self.columns.get(column, "")


def read(path: Path, needed: Sequence[str]) -> list[Row]:
    """Read a table with a head; commas or semicolons part its columns.

    Raises:
        ValueError: the file cannot be read, or lacks a column of `needed`.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    first = text.partition("\n")[0]
    reader = csv.DictReader(text.splitlines(True), delimiter=";" if ";" in first else ",")
    names = [(name or "").strip().lower() for name in reader.fieldnames or []]
    if missing := [name for name in needed if name not in names]:
        raise ValueError(f"{path} must have a column {missing[0]}, it has {first.strip()!r}")
    reader.fieldnames = names
    return [Row(f"{path}, line {reader.line_num}", _clean(row)) for row in reader]


def _clean(row: Mapping[str, object]) -> dict[str, str]:
    # What stands behind the last column arrives as a list.
    texts = {name: value for name, value in row.items() if isinstance(value, str)}
    return {name: unicodedata.normalize("NFC", text.strip()) for name, text in texts.items()}


def moment(text: str, place: str) -> datetime.datetime:
    """Return a time; without a zone it is the machine's, and a bare day means its end.

    Raises:
        ValueError: it is neither ISO 8601 nor as Moodle writes it.
    """
    for form in SPELLED:
        try:
            return datetime.datetime.strptime(text, form).astimezone()
        except ValueError:
            pass
    try:
        if len(text) == len("2026-03-02"):
            day = datetime.date.fromisoformat(text) + datetime.timedelta(days=1)
            return datetime.datetime(day.year, day.month, day.day).astimezone()
        return datetime.datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{place}: {text!r} must be a time such as 2026-03-02T23:59") from error
