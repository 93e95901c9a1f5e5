"""Two runs of the judge side by side: whose points changed on which task, and what else did."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader import results
from exercises.grader.results import shown

SHARED = {
    "source": "the assignment",
    "grader": "the grader",
    "seed": "the seed",
    "versions": "the earlier versions judged",
    "limits": "the limits",
}
UNKNOWN = "not recorded"
OPTIONAL = ("file", "name", "problem")  # older runs lack them
MOST_POINTS = 1e9


class Run(NamedTuple):
    """A run of the judge as scores.json holds it; rows by student and file."""

    assignment: str
    shared: Mapping[str, Any]
    rows: Mapping[tuple[str, str], Mapping[str, Any]]


def read(folder: Path) -> Run:
    """Read what a run left in its folder.

    Raises:
        OSError: there is no scores.json in the folder.
        ValueError: it cannot be read; the error names the cell.
    """
    path = folder / "scores.json"
    data = results.stored(path)
    if odd := next(_odd(data), ""):
        raise ValueError(f"{results.SPOILED.format(path)} {odd}")
    rows = {(row["student"], row.get("file", "")): row for row in data["scores"]}
    return Run(data["assignment"], {key: data.get(key, "") for key in SHARED}, rows)


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


def compare(old: Run, new: Run) -> list[str]:
    """Return what differs, a line each.

    Raises:
        ValueError: the runs are of two assignments.
    """
    if old.assignment != new.assignment:
        raise ValueError(f"the runs are of {old.assignment} and of {new.assignment}")
    lines = [_same(old.shared[key], new.shared[key], name) for key, name in SHARED.items()]
    before, after = _by_student(old), _by_student(new)
    for who in sorted(before.keys() | after.keys()):
        lines += _of_student(who, before.get(who), after.get(who))
    changed = sum(1 for line in lines[len(SHARED) :] if not line.startswith(" "))
    return [*lines, f"{changed} of {len(before.keys() | after.keys())} students differ"]


def _by_student(run: Run) -> dict[str, Mapping[str, Any]]:
    """Return the rows by id; where two share one, the file tells them apart."""
    ids = [student for student, _ in run.rows]
    return {
        student if ids.count(student) == 1 else f"{student} ({file})": row
        for (student, file), row in run.rows.items()
    }


def _same(old: object, new: object, name: str) -> str:
    if old == "" or new == "":
        return f"{name}: {UNKNOWN}"
    return f"{name}: {'the same' if old == new else 'differs'}"


def _of_student(
    who: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None
) -> Iterator[str]:
    if old is None or new is None:
        yield f"{who}: in the {'new' if old is None else 'old'} run only"
        return
    tasks = [line for name in new["tasks"] if (line := _of_task(name, old, new))]
    tasks += [f"  {name}: in the old run only" for name in old["tasks"].keys() - new["tasks"]]
    if not tasks and old["points"] == new["points"]:
        return
    file = _same(old.get("submission", ""), new.get("submission", ""), "the notebook")
    yield f"{who}: {shown(old['points'])} -> {shown(new['points'])} points; {file}"
    yield from tasks
    if old.get("late", "") != new.get("late", ""):
        yield f"  deadline: {old.get('late') or 'none'} -> {new.get('late') or 'none'}"


def _of_task(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if name not in old["tasks"]:
        return f"  {name}: in the new run only"
    before, after = old["tasks"][name], new["tasks"][name]
    if before["points"] == after["points"]:
        return ""
    said = f"({before['status']} -> {after['status']})"
    return f"  {name}: {shown(before['points'])} -> {shown(after['points'])} {said}"


def main(words: Sequence[str]) -> int:
    """Compare two folders that `grade` wrote and print what differs."""
    reader = argparse.ArgumentParser(prog="grade --compare", description=__doc__)
    reader.add_argument("old", metavar="OLD", type=Path, help="the --out of the earlier run")
    reader.add_argument("new", metavar="NEW", type=Path, help="the --out of the later run")
    given = reader.parse_args(words)
    print("\n".join(compare(read(given.old), read(given.new))))
    return 0
