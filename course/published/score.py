"""Score the sentences of a CSV: `python -m course.published.score items.csv`; see docs/scoring.md.

Its columns are sentence, item and condition; others are ignored. Three files say the bits of each
word and of each sentence, and by how many bits conditions differ.
"""

import argparse
import csv
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course.published.items import over_items
from course.published.model import plain
from course.published.scorer import Scorer, of_words, scorer

COLUMNS = ("sentence", "item", "condition")


class Row(NamedTuple):
    """A row of the table, and the line of the file in which it ends."""

    line: int
    sentence: str
    item: str
    condition: str


class Difference(NamedTuple):
    """Bits of the first condition minus those of the second: the mean over items, its interval."""

    first: str
    second: str
    items: int
    bits: float
    low: float
    high: float


def read(raw: bytes) -> tuple[list[Row], str]:
    r"""Return the rows of a CSV in UTF-8, and its delimiter, a comma or a semicolon.

    Raises:
        ValueError: it is another file, or rows are wrong; the message has the line of each.

    >>> read(b"item;condition;sentence\r\n1;good;She sleeps.\r\n")
    ([Row(line=2, sentence='She sleeps.', item='1', condition='good')], ';')
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} must be UTF-8: save the table as CSV UTF-8") from None
    head = text.partition("\n")[0]
    delimiter = ";" if head.count(";") > head.count(",") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        if any((reader.fieldnames or []).count(name) != 1 for name in COLUMNS):
            raise ValueError(f"line 1 must name {', '.join(COLUMNS)}, each once, got {head!r}")
        found = [(reader.line_num, cells) for cells in reader if any(cells.values())]
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num + 1} must be a row of a CSV: {error}") from None
    wrong = [f"line {line} must have {lack}" for line, cells in found if (lack := _lacking(cells))]
    if wrong or not found:
        raise ValueError("\n".join(wrong or ["line 2 must be a row, but there is none"]))
    return [Row(i, *(cells[name].strip() for name in COLUMNS)) for i, cells in found], delimiter


def _lacking(cells: Mapping[str | None, Any]) -> str:
    """Return what a row must have and has not, "" if nothing."""
    if None in cells or None in cells.values():
        return "as many cells as line 1; quote a sentence that contains the delimiter"
    empty = [name for name in COLUMNS if not cells[name].strip()]
    return f"a value for {' and '.join(empty)}" if empty else ""


def encoded(rows: Iterable[Row], by: Scorer) -> list[list[int]]:
    """Return the ids of each sentence, without the start.

    Raises:
        ValueError: sentences have too many tokens, or a character that the model cannot read.
    """
    config = by.model.config
    most = sys.maxsize if config.position == "alibi" else config.max_length - 1
    found, wrong = [], []
    for row in rows:
        try:
            found.append(by.encode(plain(row.sentence)))
            if not 1 <= (n := len(found[-1])) <= most:
                raise ValueError(f"its tokens must be 1 to {most}, got {n}")
        except ValueError as error:
            wrong.append(f"line {row.line} must have a sentence that the model can read: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return found


def means(rows: Iterable[Row], sums: Iterable[float]) -> dict[str, dict[str, float]]:
    """Return the mean bits of each item by condition.

    >>> means([Row(2, "a", "1", "good"), Row(3, "b", "1", "good")], [2.0, 3.0])
    {'good': {'1': 2.5}}
    """
    found: dict[str, dict[str, list[float]]] = {}
    for row, bits in zip(rows, sums, strict=True):
        found.setdefault(row.condition, {}).setdefault(row.item, []).append(bits)
    return {c: {i: float(np.mean(x)) for i, x in items.items()} for c, items in found.items()}


def differences(by_condition: Mapping[str, Mapping[str, float]]) -> list[Difference]:
    """Return how each two conditions differ over the items that have both, if there are any.

    The interval holds 90 % of the means of 1000 samples of the items, drawn with seed 0.

    >>> differences({"good": {"1": 2.0, "2": 3.0}, "bad": {"2": 4.5, "1": 3.5}})
    [Difference(first='good', second='bad', items=2, bits=-1.5, low=-1.5, high=-1.5)]
    """
    found = []
    for (first, one), (second, two) in combinations(by_condition.items(), 2):
        values = [one[item] - two[item] for item in one if item in two]
        if n := len(values):
            found.append(Difference(first, second, n, *over_items(values)))
    return found


def said(rows: Sequence[Row], by_condition: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the lines of the table of the differences, and in words what it leaves out."""
    found = {f"{x.first} - {x.second}": x for x in differences(by_condition)}
    width = max(map(len, ["bits of", *found]))
    lines = [f"{'bits of':<{width}}  items    mean  90 % interval"] if found else []
    for name, x in found.items():
        interval = f"{x.low:.2f} to {x.high:.2f}" if x.items > 1 else "of one item there is none"
        lines.append(f"{name:<{width}}  {x.items:5}  {x.bits:6.2f}  {interval}")
    if len(by_condition) == 1:
        lines.append(f"There are no differences, because each row has {rows[0].condition}.")
    for (first, one), (second, two) in combinations(by_condition.items(), 2):
        if alone := len(one.keys() ^ two.keys()):
            lines.append(f"{first} - {second}: items left out that lack one of the two: {alone}.")
    if more := len(rows) - sum(map(len, by_condition.values())):
        lines.append(
            f"Rows that repeat an item and a condition, so that their mean counts: {more}."
        )
    return lines


def write(path: Path, delimiter: str, lines: Iterable[Iterable[Any]]) -> None:
    """Write a CSV with the delimiter of the table, and numbers with six decimals."""
    with path.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, delimiter=delimiter, lineterminator="\n")
        for line in lines:
            writer.writerow([f"{x:.6f}" if isinstance(x, float) else x for x in line])


def run(asked: argparse.Namespace) -> None:
    """Score the table of a command, write the three files and print the differences."""
    rows, delimiter = read(asked.table.read_bytes())
    by = scorer(asked.model, asked.start)
    found = []
    for n, ids in enumerate(sentences := encoded(rows, by), 1):
        found.append(of_words(ids, by))
        end = "\n" if n == len(rows) else ""
        print(f"\r{n} of {len(sentences)} sentences", end=end, file=sys.stderr, flush=True)
    sums = [sum(bits for _, bits in each) for each in found]
    by_condition = means(rows, sums)
    pairs = list(zip(rows, found, strict=True))
    each_word = [(*row[1:], n, *x) for row, each in pairs for n, x in enumerate(each, 1)]
    files: dict[str, list[Iterable[Any]]] = {
        "words": [(*COLUMNS, "place", "word", "bits"), *each_word],
        "sums": [(*COLUMNS, "bits"), *((*r[1:], x) for r, x in zip(rows, sums, strict=True))],
        "differences": [Difference._fields, *differences(by_condition)],
    }
    out = asked.out or asked.table.parent
    out.mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        write(out / f"{asked.table.stem}.{name}.csv", delimiter, lines)
    print(*said(rows, by_condition), sep="\n")
    print(f"{asked.table.stem}.words.csv, .sums.csv and .differences.csv are in {out.resolve()}.")


def main(arguments: list[str] | None = None) -> int:
    """Score a table; return 2 if it or the model is not as it must be."""
    parser = argparse.ArgumentParser(prog="python -m course.published.score", description=__doc__)
    parser.add_argument("table", type=Path, help="a CSV in UTF-8")
    parser.add_argument("--model", type=Path, help="a folder or a GGUF file of a decoder")
    parser.add_argument("--start", help="the token before each sentence, if no file names it")
    parser.add_argument("--out", type=Path, help="the folder of the results; that of the table")
    try:
        run(parser.parse_args(arguments))
    except (ValueError, OSError) as error:
        print(f"Stopped: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
