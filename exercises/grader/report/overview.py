"""Make one table of all assignments: one row per student, one column per assignment, and the sum.

An assignment for practice has its column too, but the sum leaves it out.
"""

import argparse
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader.identity import roster
from exercises.grader.identity.roster import Roster, fold
from exercises.grader.mark import results
from exercises.grader.report import class_page, recorded
from exercises.grader.report.cells import harmless, number as in_table
from exercises.grader.report.class_page import Cell
from exercises.grader.report.gradebook import sheet
from exercises.grader.report.recorded import Run

NOTHING = "nothing handed in"
TWICE = "more than one notebook has this id"


class Standing(NamedTuple):
    """This is one student over all assignments; None replaces missing points, with the reason."""

    student: str
    name: str
    points: tuple[float | None, ...]
    total: float
    remarks: tuple[str, ...]


def standings(runs: Sequence[Run], people: Roster | None, counted: int) -> list[Standing]:
    """Return a row for each student of the roster or of any run, in the order of their ids.

    The sum is that of the first `counted` runs.
    """
    names = {
        fold(person.id): (person.id, person.name) for person in (people.people if people else ())
    }
    for run in runs:
        for (student, _), row in run.rows.items():
            known, name = names.get(fold(student), (student, ""))
            names[fold(student)] = (known, name or row.get("name", ""))
    return [_standing(key, *names[key], runs, counted) for key in sorted(names)]


def _standing(key: str, student: str, name: str, runs: Sequence[Run], counted: int) -> Standing:
    points: list[float | None] = []
    remarks: list[str] = []
    for run in runs:
        rows = [row for (who, _), row in run.rows.items() if fold(who) == key]
        earned, said = _of(rows)
        points.append(earned)
        remarks += [f"{run.assignment}: {said}"] if said else []
    total = sum(each or 0.0 for each in points[:counted])
    return Standing(student, name, tuple(points), total, tuple(remarks))


def _of(rows: Sequence[Mapping[str, Any]]) -> tuple[float | None, str]:
    if len(rows) > 1:
        return None, TWICE
    if not rows:
        return None, NOTHING
    (row,) = rows
    statuses = {task["status"] for task in row["tasks"].values()}
    if row["points"] is None:
        return None, NOTHING if statuses == {NOTHING} else "not judged"
    return row["points"], row.get("problem", "")


def possible(runs: Sequence[Run], counted: int) -> list[float]:
    """Return the points of a perfect submission to each run, and their sum last."""
    most = [_most([*run.rows.values()]) for run in runs]
    return [*most, sum(most[:counted])]


def _most(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the most points of a row; one without points may be of a version with fewer tasks."""
    known = [row for row in rows if row["points"] is not None and not row.get("problem")] or rows
    return max((float(row["possible"]) for row in known), default=0.0)


def table(runs: Sequence[Run], rows: Sequence[Standing], counted: int) -> list[list[object]]:
    """Return the table for a spreadsheet; its first row has the possible points."""
    names = [harmless(run.assignment) for run in runs]
    made: list[list[object]] = [["student", "name", *names, "total", "remarks"]]
    made.append(["possible", "", *map(in_table, possible(runs, counted)), ""])
    for row in rows:
        points = ["" if each is None else in_table(each) for each in row.points]
        said = [in_table(row.total), harmless("; ".join(row.remarks))]
        made.append([harmless(row.student), harmless(row.name), *points, *said])
    return made


def page(runs: Sequence[Run], rows: Sequence[Standing], counted: int) -> str:
    """Return the same table as a page."""
    names = [*(run.assignment for run in runs), "total"]
    heads = [Cell("student"), Cell("name")]
    for name, points in zip(names, possible(runs, counted), strict=True):
        heads.append(Cell(f"{escape(name)}<small>of {points:g}</small>", kind="number"))
    heads.append(Cell("remarks"))
    lines = [_line(row) for row in rows]
    return class_page.page("All assignments", class_page.table(heads, lines))


def _line(row: Standing) -> list[Cell]:
    points = [class_page.number("" if each is None else each) for each in row.points]
    said = Cell(escape("; ".join(row.remarks)), kind="said")
    total = class_page.number(round(row.total, 2))
    return [Cell(escape(row.student)), Cell(escape(row.name)), *points, total, said]


def main(words: Sequence[str]) -> int:
    """Write overview.csv and overview.html of several folders that `grade` wrote."""
    reader = argparse.ArgumentParser(prog="grade --overview", description=__doc__)
    reader.add_argument(
        "runs", metavar="DIR", type=Path, nargs="+", help="the --out folder of an earlier grade"
    )
    reader.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to write")
    reader.add_argument(
        "--roster", metavar="CSV", type=Path, help="adds the students who handed in nothing"
    )
    said = "an --out whose points are not part of the sum, such as that of the first hand-in"
    reader.add_argument("--practice", metavar="DIR", type=Path, nargs="+", default=[], help=said)
    given = reader.parse_args(words)
    runs = [recorded.read(folder) for folder in [*given.runs, *given.practice]]
    names = [run.assignment for run in runs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two folders contain {twice[0]}: name only one of them")
    counted = len(given.runs)
    rows = standings(runs, roster.read(given.roster) if given.roster else None, counted)
    given.out.mkdir(parents=True, exist_ok=True)
    results.write(given.out / "overview.csv", sheet(table(runs, rows, counted)))
    results.write(given.out / "overview.html", page(runs, rows, counted))
    print(f"{len(rows)} students, {len(runs)} assignments: {given.out / 'overview.html'}")
    return 0
