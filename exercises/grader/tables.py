"""CSV files that a person wrote: rows that know their line, so that an error can name it."""

import contextlib
import csv
import datetime
import io
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

# Moodle's own sheets write a time so, in English, with the day first or the month first.
SPELLED = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p")


CLOSED = "is there a quotation mark that is not closed? No row was read"


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
        ValueError: the file cannot be read, lacks a column of `needed`, or has a quotation mark
            that is not closed where it should be.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    first = text.partition("\n")[0]
    comma = ";" if ";" in first else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=comma, strict=True)
    rows, line = [], 1
    try:
        names = [(name or "").strip().lower() for name in reader.fieldnames or []]
        if missing := [name for name in needed if name not in names]:
            raise ValueError(f"{path} must have a column {missing[0]}, it has {first.strip()!r}")
        reader.fieldnames = names
        line = reader.line_num + 1
        for row in reader:
            if "identifier" not in names:  # a person wrote it, not Moodle
                _check_quotes(row, comma, len(needed) - 1)
            rows.append(Row(f"{path}, line {reader.line_num}", _clean(row)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {line}: {error}; {CLOSED}") from error
    return rows


def _check_quotes(row: Mapping[str, Any], comma: str, most: int) -> None:
    """Stop where a cell may have swallowed rows: only a reason has lines, and none like a row."""
    for name, cell in row.items():
        for text in cell if isinstance(cell, list) else [cell or ""]:
            lines = text.split("\n")
            if len(lines) > 1 and (name != "why" or max(x.count(comma) for x in lines) >= most):
                raise csv.Error(f"the cell in column {name} goes on in the next line")


def _clean(row: Mapping[str, object]) -> dict[str, str]:
    # What stands behind the last column arrives as a list.
    texts = {name: value for name, value in row.items() if isinstance(value, str)}
    return {name: unicodedata.normalize("NFC", text.strip()) for name, text in texts.items()}


def moment(text: str, place: str, is_deadline: bool = True) -> datetime.datetime:
    """Return a time; without a zone it is the machine's, and a bare day means its end.

    Raises:
        ValueError: it is neither ISO 8601 nor as Moodle writes it, or it is a deadline while the
            clocks change, so that two times may be meant.
    """
    try:
        read = _read(text)
        first, second = read.astimezone(), read.replace(fold=1).astimezone()
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{place}: {text!r} must be a time such as 2026-03-02T23:59") from error
    if first != second and is_deadline:
        times = "twice" if first.replace(tzinfo=None) == read else "never"
        meant = " or ".join(each.isoformat(timespec="minutes") for each in (first, second))
        why = "because the clocks of this machine change then"
        raise ValueError(f"{place}: {text!r} happens {times}, {why}: write {meant}")
    return first


def _read(text: str) -> datetime.datetime:
    for form in SPELLED:
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(text, form)
    if len(text) == len("2026-03-02"):
        day = datetime.date.fromisoformat(text) + datetime.timedelta(days=1)
        return datetime.datetime(day.year, day.month, day.day)
    return datetime.datetime.fromisoformat(text)
