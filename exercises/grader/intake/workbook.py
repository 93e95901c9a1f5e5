"""Read the sheet of an Excel workbook that has the columns of a table."""

import datetime
import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

Lines = list[tuple[int, list[str]]]
MOST_DIGITS = 15  # of a number that Excel keeps
MOST_ROWS = 20  # in which a head is looked for


class Sheet(NamedTuple):
    """This is a sheet of a workbook: its rows, and the names of all sheets."""

    lines: Lines
    seen: Sequence[str]


def read(path: Path, fits: Callable[[Lines], bool]) -> Sheet:
    """Return the sheet that was open last or, if it does not fit and one other sheet does, that.

    Raises:
        ValueError: the file cannot be read, several sheets fit, or a formula has no value.
    """
    try:
        with path.open("rb") as file:
            return _read(file, fits)
    except NoTable as error:
        raise ValueError(f"{path}, {error}") from error
    except Exception as error:  # what is damaged may lead to any
        raise ValueError(f"{path} cannot be read: {error}; save it as CSV in UTF-8") from error


class NoTable(ValueError):
    """This is a workbook that can be read, but not as one table."""


def _read(file: BinaryIO, fits: Callable[[Lines], bool]) -> Sheet:
    import openpyxl  # type: ignore[import-untyped]  # only whoever hands it a workbook needs it

    book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    heads = {sheet.title: fits(_lines(sheet, MOST_ROWS)) for sheet in book.worksheets}
    title = _chosen(heads, book.active.title if book.active else "")
    formulas = openpyxl.load_workbook(file, read_only=True)[title]
    for row, cells in enumerate(zip(book[title].iter_rows(), formulas.iter_rows(), strict=True), 1):
        for value, formula in zip(*cells, strict=True):
            # An empty text is a value, and then the cell is of a text.
            if formula.data_type == "f" and value.value is None and value.data_type != "str":
                said = f"the formula in column {formula.column_letter} has no stored value"
                raise NoTable(
                    f"sheet {title!r}, line {row}: {said}: open the file in a spreadsheet, save it "
                    "and give it again"
                )
    return Sheet(_lines(book[title]), tuple(heads))


def _chosen(heads: Mapping[str, bool], opened: str) -> str:
    """Return the sheet to read; where none fits, the one that is open, to say what it has."""
    fitting = [title for title, has_head in heads.items() if has_head]
    if opened in fitting or not fitting:
        return opened if opened in heads else next(iter(heads))
    if len(fitting) > 1:
        said = ", ".join(map(repr, fitting))
        raise NoTable(
            f"sheet {opened!r} is no such table, but {said} are: open the right sheet and save"
        )
    return fitting[0]


def _lines(sheet: Any, most: int | None = None) -> Lines:
    rows = itertools.islice(sheet.iter_rows(), most)
    return [(n, [_shown(cell) for cell in row]) for n, row in enumerate(rows, 1)]


def _shown(cell: Any) -> str:
    """Return the text of a cell: a whole number without a point, a day without a time."""
    value = cell.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
        return f"{value:E}"  # its last digits are lost
    if isinstance(value, datetime.datetime) and "h" not in cell.number_format.lower():
        value = value.date()
    return "" if value is None else str(value)
