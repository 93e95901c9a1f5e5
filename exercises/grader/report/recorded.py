"""A run of the judge, read again from its scores.json."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader.mark import results

OPTIONAL = ("file", "name", "problem")  # older runs lack them
MOST_POINTS = 1e9


class Run(NamedTuple):
    """A run of the judge as scores.json holds it; rows by student and file."""

    assignment: str
    rows: Mapping[tuple[str, str], Mapping[str, Any]]


def read(folder: Path) -> Run:
    """Read the scores that a run wrote into its folder.

    Raises:
        OSError: there is no scores.json in the folder.
        ValueError: it cannot be read; the error names the cell.
    """
    path = folder / "scores.json"
    data = results.stored(path)
    if odd := next(_odd(data), ""):
        raise ValueError(f"{results.SPOILED.format(path)} {odd}")
    rows = {(row["student"], row.get("file", "")): row for row in data["scores"]}
    return Run(data["assignment"], rows)


def _odd(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a table, and in which cell; only the first is sure."""
    for cell, value, is_good in _cells(data):
        if not is_good:
            yield f"{cell} is {value!r:.80}"


def _cells(data: Mapping[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield each cell that is read: its name, what stands there, and whether it may."""
    name, rows = data.get("assignment"), data.get("scores")
    yield "assignment", name, isinstance(name, str)
    yield "scores", rows, isinstance(rows, list)
    for number, row in enumerate(rows or [], 1):
        yield f"row {number}", row, isinstance(row, dict)
        tasks, most = row.get("tasks"), row.get("possible", 0)
        yield f"row {number}: tasks", tasks, isinstance(tasks, dict)
        yield f"row {number}: possible", most, most is not None and _is_number(most)
        for task, part in {"": row, **tasks}.items():
            place = f"row {number}: {task}{', ' if task else ''}"
            yield f"{place}points", *_points(part)
            for text in ("status",) if task else ("student", "file", "name", "problem"):
                said = part.get(text, "" if text in OPTIONAL else None)
                yield f"{place}{text}", said, isinstance(said, str)


def _points(part: Any) -> tuple[Any, bool]:
    found = part.get("points", "") if isinstance(part, dict) else part
    return found, isinstance(part, dict) and _is_number(found)


def _is_number(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and abs(value) < MOST_POINTS)
