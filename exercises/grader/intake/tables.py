"""Read tables that a person wrote; each row stores its line, so that an error can name it."""

import codecs
import contextlib
import csv
import datetime
import io
import itertools
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.intake import workbook
from exercises.grader.intake.workbook import Lines

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
    "identifier": "id",
    "full name": "vollständiger name",
    "last modified (submission)": "zuletzt geändert (abgabe)",
}
Meaning = Callable[[Sequence[str]], dict[str, str]]
MOST_ABOVE = 10  # rows in which a head is looked for
SAVE = "save it as .xlsx or as CSV in UTF-8"
OTHER_SHEETS = (".xls", ".xlsb", ".ods", ".fods", ".numbers")
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how a file of a spreadsheet begins
CLOSED = "is there a quotation mark that is not closed? No row was read"


def folded(head: str) -> str:
    """Return the head of a column without differences in case and white space."""
    return " ".join(unicodedata.normalize("NFC", head).split()).lower()


def is_german_moodle(names: Sequence[str]) -> bool:
    """Return whether a table is a worksheet of Moodle in German, whose `ID` is no student's."""
    return set(GERMAN.values()) <= set(names)


def in_english(heads: Sequence[str]) -> dict[str, str]:
    """Return the German heads of a worksheet of Moodle by their English names."""
    return dict(GERMAN) if is_german_moodle([folded(head) for head in heads]) else {}


class Row(NamedTuple):
    """This is a row of a table; `place` is the file and the line for an error."""

    place: str
    columns: Mapping[str, str]

    def get(self, column: str) -> str:
        """Return the cell in a column, "" if there is no such column."""
        return self.columns.get(column, "")


def read(path: Path, needed: Sequence[str], meaning: Meaning = in_english) -> list[Row]:
    """Read a table with a head: a CSV file, including those of Excel and Moodle, or an Excel sheet.

    Args:
        path: where it is.
        needed: the columns that it must have.
        meaning: returns from the heads of a table which of them is a column that we call otherwise.

    Raises:
        ValueError: the file cannot be read, a column of `needed` is missing, a row has more cells
            than the head, or a quotation mark is not closed where it should be.
    """
    comma, lines, seen = _table(path, needed, meaning)
    (_, heads), *rest = lines or [(1, [])]
    names, meant = [folded(head) for head in heads], _meant(path, lines, meaning)
    if missing := [name for name in needed if name not in (*names, *meant)]:
        raise ValueError(_missing(path, missing[0], lines, needed, meaning) + seen)
    if twice := [name for name in needed if names.count(meant.get(name, name)) > 1]:
        raise ValueError(f"{path} has two columns {twice[0]}: rename one of them")
    rows = []
    for number, cells in rest:
        place = f"{path}, line {number}"
        if comma and "identifier" not in (*names, *meant):  # a person wrote it, not Moodle
            begun = number - sum(cell.count("\n") for cell in cells)
            _check_quotes(f"{path}, line {begun}", names, cells, comma, len(needed) - 1)
        if any(map(str.strip, cells[len(names) :])):
            said = f"{len(cells)} cells, but the head has {len(names)}"
            raise ValueError(f"{place}: {said}; put quotation marks around a text with {comma!r}")
        texts = (unicodedata.normalize("NFC", cell.strip()) for cell in cells)
        columns = dict(zip(names, texts, strict=False))
        ours = {name: columns.get(theirs, "") for name, theirs in meant.items()}
        rows.append(Row(place, columns | ours))
    return rows


def _table(path: Path, needed: Sequence[str], meaning: Meaning) -> tuple[str, Lines, str]:
    """Return what parts the cells of a text, the rows that are not empty, and the sheets seen."""
    comma, seen = "", ""
    if (ending := path.suffix.lower()) in OTHER_SHEETS:
        raise ValueError(f"{path} is a {ending} file, which is not read: {SAVE}")
    if ending in (".xlsx", ".xlsm"):
        sheet = workbook.read(path, lambda lines: _fits(_filled(lines)[:1], needed, meaning))
        lines = sheet.lines
        seen = f" (the sheets of this file are {', '.join(map(repr, sheet.seen))})"
    else:
        comma, lines = _text(path)
    return comma, _filled(lines), seen


def _filled(lines: Lines) -> Lines:
    return [line for line in lines if any(map(str.strip, line[1]))]


def _fits(lines: Lines, needed: Sequence[str], meaning: Meaning) -> bool:
    """Return whether the first of these lines is the head of such a table."""
    heads = lines[0][1] if lines else []
    try:
        known = {*map(folded, heads), *meaning(heads)}
    except ValueError:  # it has one column too many
        return True
    return known.issuperset(needed)


def _meant(path: Path, lines: Lines, meaning: Meaning) -> dict[str, str]:
    number, heads = lines[0] if lines else (1, [])
    try:
        return meaning([head.strip() for head in heads])
    except ValueError as error:
        raise ValueError(f"{path}, line {number}: {error}") from error


def _missing(path: Path, name: str, lines: Lines, needed: Sequence[str], meaning: Meaning) -> str:
    for n, line in enumerate(lines[1:MOST_ABOVE], 1):
        if _fits([line], needed, meaning):
            return (
                f"{path}, line {lines[0][0]} must be the head, but the head is in line "
                f"{lines[n][0]}: delete the rows above it"
            )
    heads = ", ".join(head.strip() for head in lines[0][1]) if lines else ""
    return f"{path} must have a column {name}, but it has {heads!r}: rename one to {name}"


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
        if raw.startswith(WORKBOOKS):
            raise ValueError(f"{path} is a workbook and no text: {SAVE}")
        if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return raw.decode("utf-16")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            # No guess among alphabets: guessed ones were wrong for French names in short tables.
            return raw.decode("cp1252")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}; save it as CSV in UTF-8") from error


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
