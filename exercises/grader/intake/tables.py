"""Read tables that a person wrote; each row stores its line, so that an error can name it."""

import codecs
import contextlib
import csv
import datetime
import io
import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

# Moodle's own sheets write a time so, in English, with the day first or the month first; the rest
# is how Excel writes a time in German.
SPELLED: tuple[str, ...] = ("%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p")
SPELLED += tuple(
    f"%d.%m.%Y{between}{time}" for between in (" ", ", ") for time in ("%H:%M", "%H:%M:%S")
)
IN_GERMAN = re.compile(r"\w+, (?P<day>\d+)\. (?P<month>\w+) (?P<rest>\d{4}, \d+:\d+)")
MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
)
DAY = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})")
GERMAN = {
    "id": "identifier",
    "vollständiger name": "full name",
    "zuletzt geändert (abgabe)": "last modified (submission)",
}
Lines = list[tuple[int, list[str]]]
CLOSED = "is there a quotation mark that is not closed? No row was read"


class Row(NamedTuple):
    """This is a row of a table; `place` is the file and the line for an error."""

    place: str
    columns: Mapping[str, str]

    def get(self, column: str) -> str:
        """Return the cell in a column, "" if there is no such column."""
        return self.columns.get(column, "")


def read(path: Path, needed: Sequence[str]) -> list[Row]:
    """Read a table with a head: a CSV file, including those of Excel and Moodle, or an Excel sheet.

    Raises:
        ValueError: the file cannot be read, a column of `needed` is missing, a row has more cells
            than the head, or a quotation mark is not closed where it should be.
    """
    comma, lines = _sheet(path) if path.suffix.lower() == ".xlsx" else _text(path)
    head, *rest = [line for line in lines if any(map(str.strip, line[1]))] or [(1, [])]
    names = _in_english([name.strip().lower() for name in head[1]])
    if missing := [name for name in needed if name not in names]:
        has = comma.join(head[1])
        raise ValueError(f"{path} must have a column {missing[0]}, but it has {has.strip()!r}")
    rows = []
    for number, cells in rest:
        place = f"{path}, line {number}"
        if comma and "identifier" not in names:  # a person wrote it, not Moodle
            begun = number - sum(cell.count("\n") for cell in cells)
            _check_quotes(f"{path}, line {begun}", names, cells, comma, len(needed) - 1)
        if any(map(str.strip, cells[len(names) :])):
            said = f"{len(cells)} cells, but the head has {len(names)}"
            raise ValueError(f"{place}: {said}; put quotation marks around a text with {comma!r}")
        texts = (unicodedata.normalize("NFC", cell.strip()) for cell in cells)
        rows.append(Row(place, dict(zip(names, texts, strict=False))))
    return rows


def _text(path: Path) -> tuple[str, Lines]:
    """Return what parts the cells of a text, and its lines with their numbers."""
    text = _decoded(path)
    first, _, rest = text.partition("\n")
    comma = next((each for each in "\t;" if each in first), ",")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:  # for Excel alone
        comma, text = first[4], f"\n{rest}"
    reader = csv.reader(io.StringIO(text), delimiter=comma, strict=True)
    lines, begun = [], 1
    try:
        for cells in reader:
            lines.append((reader.line_num, cells))
            begun = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {begun}: {error}; {CLOSED}") from error
    return comma, lines


def _decoded(path: Path) -> str:
    """Return a text in UTF-8, or in what Excel saves as "Unicode text" and as "CSV"."""
    try:
        raw = path.read_bytes()
        if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return raw.decode("utf-16")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            # No guess among alphabets: guessed ones were wrong for French names in short tables.
            return raw.decode("cp1252")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}; save it as CSV in UTF-8") from error


def _sheet(path: Path) -> tuple[str, Lines]:
    """Return the rows of the sheet of a workbook that was open last."""
    import openpyxl  # type: ignore[import-untyped]  # only whoever hands it a workbook needs it

    try:
        with path.open("rb") as file:
            sheet = openpyxl.load_workbook(file, read_only=True, data_only=True).active
            rows = [[_shown(cell) for cell in row] for row in sheet.iter_rows()]
    except Exception as error:  # what is damaged may lead to any
        raise ValueError(f"{path} cannot be read: {error}; save it as CSV in UTF-8") from error
    return "", list(enumerate(rows, 1))


def _shown(cell: Any) -> str:
    """Return the text of a cell: a whole number without a point, a day without a time."""
    value = cell.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime.datetime) and "h" not in cell.number_format.lower():
        value = value.date()
    return "" if value is None else str(value)


def _in_english(names: list[str]) -> list[str]:
    """Return the head of a German worksheet of Moodle in English, any other one as it is."""
    if GERMAN.keys() <= set(names):
        return [GERMAN.get(name, name) for name in names]
    return names


def _check_quotes(
    place: str, names: Sequence[str], cells: Sequence[str], comma: str, most: int
) -> None:
    """Stop where a cell may have swallowed rows: only a reason has lines, and none like a row."""
    for name, text in itertools.zip_longest(names, cells, fillvalue=""):
        lines = text.split("\n")
        if len(lines) > 1 and (name != "why" or max(x.count(comma) for x in lines) >= most):
            said = f"the cell in column {name} continues in the next line"
            raise ValueError(f"{place}: {said}; {CLOSED}")


def moment(text: str, place: str, is_deadline: bool = True) -> datetime.datetime:
    """Return a time; without a zone it is the machine's, and a day without a time means its end.

    Raises:
        ValueError: it is not in a form of ISO 8601, Moodle or Excel, or it is a deadline while the
            clocks change, so that two times may be meant.
    """
    try:
        read = _read(text)
        first, second = read.astimezone(), read.replace(fold=1).astimezone()
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"{place}: {text!r} must be a time such as 2026-03-02T23:59 or 02.03.2026 23:59"
        ) from error
    if first != second and is_deadline:
        times = "twice" if first.replace(tzinfo=None) == read else "never"
        meant = " or ".join(each.isoformat(timespec="minutes") for each in (first, second))
        why = "because the clocks of this machine change then"
        raise ValueError(f"{place}: {text!r} happens {times}, {why}: write {meant}")
    return first


def _read(text: str) -> datetime.datetime:
    if (match := IN_GERMAN.fullmatch(text)) and match["month"] in MONTHS:
        text = f"{match['day']}.{MONTHS.index(match['month']) + 1}.{match['rest']}"
    for form in SPELLED:
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(text, form)
    if match := DAY.fullmatch(text):
        text = f"{match[3]}-{match[2]:0>2}-{match[1]:0>2}"
    if len(text) == len("2026-03-02"):
        day = datetime.date.fromisoformat(text) + datetime.timedelta(days=1)
        return datetime.datetime(day.year, day.month, day.day)
    return datetime.datetime.fromisoformat(text)
